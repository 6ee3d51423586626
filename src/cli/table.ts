// Tables that fit the terminal: when a row is too long, the widest text column gives way first.
import { eastAsianWidth } from 'get-east-asian-width';
import { paint, type Style, say } from './print.js';

export interface Column {
  title: string;
  // May be cut with "…" to fit.
  text?: boolean;
  right?: boolean;
}

export type Cell = string | { text: string; style: Style | undefined };

const GAP = 2;
const LEAST = 6;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

// A cluster (a letter with its accents, a family of emoji) takes the columns of its widest character.
function clusterWidth(cluster: string): number {
  if (cluster.includes('\ufe0f')) return 2;
  let width = 0;
  for (const char of cluster) {
    if (/^[\p{Mn}\p{Me}\p{Cf}]$/u.test(char)) continue;
    width = Math.max(width, eastAsianWidth(char.codePointAt(0) ?? 0));
  }
  return width;
}

export function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += clusterWidth(segment);
  return width;
}

export function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    const next = used + clusterWidth(segment);
    if (next > width - 1) break;
    kept += segment;
    used = next;
  }
  return `${kept}…`;
}

const cellText = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text);

export function fitTable(columns: readonly Column[], rows: readonly Cell[][], width: number): string[] {
  const widths = columns.map(({ title }, index) =>
    rows.reduce((most, row) => Math.max(most, textWidth(cellText(row[index] ?? ''))), textWidth(title)),
  );
  let over = widths.reduce((sum, each) => sum + each + GAP, -GAP) - width;
  while (over > 0) {
    const widest = widths.reduce(
      (best, each, index) =>
        columns[index]?.text && each > LEAST && each > (widths[best] ?? LEAST) ? index : best,
      -1,
    );
    if (widest < 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    over--;
  }
  const line = (cells: readonly Cell[]): string =>
    columns
      .map(({ right }, index) => {
        const cell = cells[index] ?? '';
        const size = widths[index] ?? 0;
        const text = cut(cellText(cell), size);
        const blank = ' '.repeat(Math.max(0, size - textWidth(text)));
        const painted = paint(typeof cell === 'string' ? undefined : cell.style, text);
        return right ? blank + painted : index === columns.length - 1 ? painted : painted + blank;
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  return [line(columns.map(({ title }) => ({ text: title, style: 'dim' as const }))), ...rows.map(line)];
}

// Into a pipe nothing is cut to fit.
export const terminalWidth = (): number =>
  process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;

// A row that comes by itself, without titles, in the columns that they would have.
export const fitRow = (columns: readonly Column[], row: Cell[], width: number): string =>
  fitTable(columns, [row], width)[1] ?? '';

export const sayRow = (columns: readonly Column[], row: Cell[]): void =>
  say(fitRow(columns, row, terminalWidth()));

export function sayTable(columns: readonly Column[], rows: readonly Cell[][]): void {
  for (const line of fitTable(columns, rows, terminalWidth())) say(line);
}
