// How an input box looks at its cursor, and whether that is how it looks when empty. No words are read: only places and styles.
import { type Cell, isDim, rowText, splitAt } from '../terminal/cells.js';
import type { PaneView } from '../tmux/index.js';

// `line`: a line drawn across; `text`: something that may change at any time.
export type Below = 'line' | 'blank' | 'text';

export interface Look {
  // The cursor's column, and what stands left of it in its row: a prompt, a border, an indent.
  column: number;
  left: string;
  // What stands right of the cursor in the style of ordinary text; borders and placeholders do not count.
  right: string;
  // The styles, other than the default one, of what stood there: a placeholder may change its words, not its style.
  placeholderStyles: string[];
  // A placeholder starts under the cursor itself.
  underCursor: boolean;
  // No prompt, but a line drawn right above: further down in such a box the cursor stands below text, not below the line.
  ruledAbove: boolean;
  // What stood right below: a draft whose first line is blank has its next line there.
  below: Below;
}

const BORDERS = /[\u2500-\u259f|]/gu;
const visible = (cell: Cell): boolean => cell.text.trim() !== '' && cell.text.replace(BORDERS, '') !== '';

const cursorRow = (view: PaneView) => splitAt(view.rows[view.cursor.y] ?? [], view.cursor.x);

const RULE = /^\s*[\u2500-\u257f]{3}/u;
const isRuledAbove = (view: PaneView): boolean => RULE.test(rowText(view.rows[view.cursor.y - 1] ?? []));
const LOWER_RULE = /^\s*[\u2500-\u259f]{3}/u;
function belowCursor({ rows, cursor }: PaneView): Below {
  const row = rows[cursor.y + 1] ?? [];
  if (LOWER_RULE.test(rowText(row))) return 'line';
  return row.some((cell) => visible(cell) && !isDim(cell.style)) ? 'text' : 'blank';
}

// The cursor that the box would show is not there: a dialog has the keys, or a menu, or a paint is under way.
export const isWithoutCursor = (box: { cursorShownInBox: boolean }, view: PaneView): boolean =>
  box.cursorShownInBox && !view.cursor.visible;

export function takeLook(view: PaneView): Look {
  const { left, under, right } = cursorRow(view);
  const styles = new Set(
    [under, ...right].flatMap((cell) => (cell && visible(cell) && cell.style ? [cell.style] : [])),
  );
  return {
    column: view.cursor.x,
    left: rowText(left),
    right: ordinaryText(under ? [under, ...right] : right, styles),
    placeholderStyles: [...styles],
    underCursor: under !== undefined && visible(under),
    ruledAbove: rowText(left).trim() === '' && isRuledAbove(view),
    below: belowCursor(view),
  };
}

// The box looks now as it did when it was known to be empty.
export function looksEmpty(view: PaneView, known: Look): boolean {
  const { left, under, right } = cursorRow(view);
  if (view.cursor.x !== known.column || rowText(left).trimEnd() !== known.left.trimEnd()) return false;
  if (known.ruledAbove && !isRuledAbove(view)) return false;
  if (known.below === 'line' && belowCursor(view) !== 'line') return false;
  if (known.below === 'blank' && belowCursor(view) === 'text') return false;
  const placeholders = new Set(known.placeholderStyles);
  // A placeholder's first cell may be drawn as the cursor, in any style, as long as the rest of it stands behind it; where
  // there was none, or is none now, a character is a draft.
  const isCursor =
    known.underCursor && known.right === '' && right.some((cell) => isPlaceholder(cell, placeholders));
  const read = isCursor || under === undefined ? right : [under, ...right];
  return ordinaryText(read, placeholders) === known.right;
}

// The cursor's row begins with the prompt or the border of the box.
export const beginsLike = (view: PaneView, known: Look): boolean =>
  rowText(view.rows[view.cursor.y] ?? []).startsWith(known.left.trimEnd());

const isPlaceholder = (cell: Cell, styles: ReadonlySet<string>): boolean =>
  visible(cell) && (isDim(cell.style) || styles.has(cell.style));

const ordinaryText = (cells: readonly Cell[], placeholders: ReadonlySet<string>): string =>
  cells
    .filter((cell) => visible(cell) && !isDim(cell.style) && !placeholders.has(cell.style))
    .map((cell) => cell.text)
    .join('');

const WORDS = /[\p{L}\p{N}]/u;

// For a box that was never seen empty: no words before the cursor, none behind it, none in the row above.
export function mayBeEmpty(view: PaneView): boolean {
  const { left, right } = takeLook(view);
  const above = rowText(view.rows[view.cursor.y - 1] ?? []);
  return !WORDS.test(left) && right === '' && !WORDS.test(above);
}
