// The input box on a screen, found by how it looks when empty: where it begins, and the text in its rows.
import { type Cell, rowText, splitAt, textWidth } from '../terminal/cells.js';
import type { PaneView } from '../tmux/index.js';
import type { Look } from './look.js';

const RULE = /^\s*[\u2500-\u257f]{3}/u;
const NOISE = /[\s\u2500-\u259f]/gu;
export const squash = (text: string): string => text.replace(NOISE, '');

const isRule = (row: readonly Cell[] | undefined): boolean => row !== undefined && RULE.test(rowText(row));
const before = (row: readonly Cell[] | undefined, column: number): string =>
  rowText(splitAt(row ?? [], column).left).trimEnd();

// The box's first row: the nearest one at or above the cursor that begins with the prompt. Rows in between must be indented
// below it, as rows of one box are; else the cursor stands somewhere else, in a dialog or a list.
export function boxTop({ rows, cursor }: PaneView, look: Look): number | undefined {
  const hasPrompt = squash(look.left) !== '';
  for (let y = cursor.y; y >= 0; y--) {
    const row = rows[y];
    if (hasPrompt ? before(row, look.column) === look.left.trimEnd() : isRule(rows[y - 1])) {
      return hasPrompt || look.ruledAbove ? y : undefined;
    }
    if (isRule(row) || squash(before(row, look.column)) !== '') return undefined;
  }
  return undefined;
}

// The row behind the box's last one. Without a line below it, what stands under the cursor may be anything: it ends there.
export function boxEnd({ rows, cursor }: PaneView, look: Look): number {
  for (let y = cursor.y + 1; y < rows.length; y++) {
    if (isRule(rows[y])) return y;
    if (squash(before(rows[y], look.column)) !== '') break;
  }
  return cursor.y + 1;
}

export interface BoxShape {
  look: Look;
  columns: number;
  // The caret, counted in rows from the top of the box: blanks before it were typed.
  caret: { row: number; x: number } | null;
}

// The text in rows of a box, as far as a screen can tell: a row that the next word would not have fitted into is wrapped.
export function readRows(rows: readonly (readonly Cell[])[], { look, columns, caret }: BoxShape): string {
  const inner = columns - look.column;
  const lines = rows.map((row, y) => {
    const { under, right } = splitAt(row, look.column);
    const text = withoutFrame(rowText(under ? [under, ...right] : right), inner);
    const typed = caret?.row === y ? caret.x - look.column - textWidth(text) : 0;
    return text + ' '.repeat(Math.max(0, typed));
  });
  while (lines.length > 1 && lines.at(-1) === '' && caret?.row !== lines.length - 1) lines.pop();
  return lines.reduce(
    (text, line, i) => (i === 0 ? line : text + joint(lines[i - 1] ?? '', line, inner) + line),
    '',
  );
}

const RIGHT_FRAME = /\s*[\u2500-\u259f]\s*$/u;
const FRAME_WIDTH = 2;

const withoutFrame = (text: string, inner: number): string =>
  (textWidth(text.trimEnd()) >= inner - FRAME_WIDTH ? text.replace(RIGHT_FRAME, '') : text).trimEnd();

// Full to the edge, or to the cell before it where a wide character did not fit: cut anywhere. Else cut at a blank.
function joint(above: string, below: string, inner: number): '' | ' ' | '\n' {
  const width = textWidth(above);
  const [word = ''] = below.split(' ', 1);
  const [first = ''] = below;
  if (word === '' || width === 0) return width >= inner ? '' : '\n';
  if (width >= inner || (width === inner - 1 && textWidth(first) === 2)) return '';
  return width + 1 + textWidth(word) > inner ? ' ' : '\n';
}

export function readBox(view: PaneView, look: Look): string | undefined {
  const top = boxTop(view, look);
  if (top === undefined) return undefined;
  const caret = { row: view.cursor.y - top, x: view.cursor.x };
  return readRows(view.rows.slice(top, boxEnd(view, look)), { look, columns: view.size.columns, caret });
}

// The box shows this text and nothing else; blanks and line ends do not count, because wrapping changes them.
export function showsAlone(view: PaneView, look: Look, text: string): boolean {
  const shown = readBox(view, look);
  return shown !== undefined && squash(shown) === squash(text);
}

// Far enough from the edge that nothing can be wrapped or scrolled away.
const EDGE = 8;
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

// One row of words of ordinary characters with single blanks between them is what it looks like. A tab, a trailing blank
// or a character without a width could hide in any other.
export const isUnambiguous = (text: string, { look, columns }: BoxShape): boolean =>
  PLAIN.test(text) && text.length + look.column + EDGE <= columns;

// How many rows a text of ours takes in the box.
export const rowsNeeded = (text: string, inner: number): number =>
  text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(line) / Math.max(1, inner))), 0);
