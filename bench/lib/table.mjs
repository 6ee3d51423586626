// The table of figures.
import { median, tail } from './stats.mjs';

const HEAD = ['figure', 'ours p50', 'p99', 'baseline p50', 'p99', 'ratio', 'budget', ''];

// A budget is `{ ratio }`, the most that ours / baseline may be; `{ value }`, the most that ours may be; or null.
export function judge({ budget }, { ours, baseline }) {
  const ratio = median(ours) / median(baseline);
  if (!budget) return { ratio, verdict: '' };
  const isOver = 'ratio' in budget ? ratio > budget.ratio : median(ours) > budget.value;
  return { ratio, verdict: isOver ? 'OVER' : 'ok' };
}

export function row(figure, result) {
  const { ours, baseline, unit } = result;
  const show = (value) => `${number(value)} ${unit}`;
  const ends = (samples) => [show(median(samples)), show(tail(samples, figure.higherIsBetter))];
  const { ratio, verdict } = judge(figure, result);
  const cells = [figure.name, ...ends(ours), ...ends(baseline)];
  return [...cells, asRatio(ratio), budgetText(figure.budget, unit), verdict];
}

export function render(rows) {
  const all = [HEAD, ...rows];
  const widths = HEAD.map((_, column) => Math.max(...all.map((cells) => cells[column].length)));
  const line = (cells) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ');
  return all.map((cells) => line(cells).trimEnd()).join('\n');
}

export function number(value) {
  if (!Number.isFinite(value)) return '-';
  if (value === 0 || value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : value >= 1 ? 2 : 3);
}

function asRatio(ratio) {
  if (!Number.isFinite(ratio) || ratio === 0) return '-';
  return ratio < 0.5 ? `1/${number(1 / ratio)}` : `${number(ratio)}x`;
}

function budgetText(budget, unit) {
  if (!budget) return 'none';
  return `<= ${'ratio' in budget ? asRatio(budget.ratio) : `${number(budget.value)} ${unit}`}`;
}
