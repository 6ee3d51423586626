// The table of figures.
import { median, quantile, tail } from './stats.mjs';

const HEAD = ['figure', 'ours p50', 'p99', 'baseline p50', 'p99', 'ratio', 'of p99', 'budget', ''];

// A budget is null or one of
//   { least }       the least that the median of ours may be, in medians of the baseline
//   { ratio }       the most that the median of ours may be, in medians of the baseline; with `tail` the p99 in p99 too
//   { value, at }   the most that ours may be at a quantile: the median unless told otherwise
export function judge({ budget, higherIsBetter }, { ours, baseline }) {
  const ratio = median(ours) / median(baseline);
  const tailRatio = tail(ours, higherIsBetter) / tail(baseline, higherIsBetter);
  const over = [];
  if (budget && 'least' in budget) {
    if (ratio < budget.least) over.push('p50');
  } else if (budget && 'ratio' in budget) {
    if (ratio > budget.ratio) over.push('p50');
    if (budget.tail && tailRatio > budget.ratio) over.push('p99');
  } else if (budget && quantile(ours, budget.at ?? 0.5) > budget.value) over.push(percentile(budget.at));
  const verdict = !budget ? '' : over.length ? `OVER (${over.join(', ')})` : 'ok';
  return { ratio, tailRatio, isOver: over.length > 0, verdict };
}

export function row(figure, result) {
  const { ours, baseline, unit } = result;
  const show = (value) => (Number.isFinite(value) ? `${number(value)} ${unit}` : '-');
  const ends = (samples) => [show(median(samples)), show(tail(samples, figure.higherIsBetter))];
  const { ratio, tailRatio, verdict } = judge(figure, result);
  const cells = [figure.name, ...ends(ours), ...ends(baseline), asRatio(ratio), asRatio(tailRatio)];
  return [...cells, budgetText(figure.budget, unit), verdict];
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

const percentile = (at = 0.5) => `p${Math.round(at * 100)}`;

function budgetText(budget, unit) {
  if (!budget) return 'none';
  if ('least' in budget) return `>= ${asRatio(budget.least)}`;
  if ('ratio' in budget) return `<= ${asRatio(budget.ratio)}${budget.tail ? ', p99 too' : ''}`;
  return `<= ${number(budget.value)} ${unit}${budget.at ? ` at ${percentile(budget.at)}` : ''}`;
}
