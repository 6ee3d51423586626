// Is our text in the box, and is it still there? Read from the screen, by an id and an ending of ours alone.
import { type Cell, rowText, splitAt, textWidth } from '../terminal/cells.js';
import type { PaneView } from '../tmux/index.js';

// A text of ours on its way in: what is pasted, and the mark by which it is known on a screen.
export interface Envelope {
  payload: string;
  mark: string;
}

// The mark of a text without a header is its own words, which may stand on the screen for other reasons.
export const hasId = ({ mark }: Envelope): boolean => /^#[0-9a-f]{12}$/.test(mark);

// `id`: our mark is on the screen; `ending`: our last words stand before the cursor; `placeholder`: the box changed on our
// paste; `read`: the box itself was read.
export type Evidence = 'id' | 'ending' | 'placeholder' | 'read';

const TAIL_LENGTH = 24;
const NOISE = /[\s\u2500-\u259f]/gu;
export const squash = (text: string): string => text.replace(NOISE, '');

const tail = ({ payload }: Envelope): string => squash(payload.slice(-400)).slice(-TAIL_LENGTH);

// Rows are joined without blanks and borders, so that wrapping inside a box does not hide the mark.
export function countMarks(view: PaneView, { mark }: Envelope): number {
  const wanted = squash(mark);
  return wanted === '' ? 0 : squash(view.rows.map(rowText).join('')).split(wanted).length - 1;
}

// After Enter it stands in the box and above it: it was taken, and the box has yet to let go.
export const isTaken = (view: PaneView, typed: PaneView | undefined, envelope: Envelope): boolean =>
  typed !== undefined &&
  hasId(envelope) &&
  countMarks(view, envelope) > Math.max(1, countMarks(typed, envelope));

export function seenInBox(
  view: PaneView,
  envelope: Envelope,
  before: PaneView | undefined,
): Evidence | undefined {
  if (countMarks(view, envelope) > (before ? countMarks(before, envelope) : 0)) return 'id';
  if (endsAtCursor(view, envelope)) return 'ending';
  return undefined;
}

// Our last words stand left of the cursor, or in the row above it when a newline follows them.
export function endsAtCursor(view: PaneView, envelope: Envelope): boolean {
  const row = cursorLeft(view);
  return (
    endsLike(row, tail(envelope)) ||
    (row === '' && endsLike(squash(rowText(view.rows[view.cursor.y - 1] ?? [])), tail(envelope))) ||
    endsInRows(view, envelope)
  );
}

// A last line of a few letters proves nothing alone, but with the id in the rows above it.
const ROWS_OF_ENDING = 4;
function endsInRows(view: PaneView, envelope: Envelope): boolean {
  const { y } = view.cursor;
  const above = view.rows.slice(Math.max(0, y - ROWS_OF_ENDING), y).map((row) => squash(rowText(row)));
  const last = cursorLeft(view);
  return hasId(envelope) && last !== '' && [...above, last].join('').endsWith(tail(envelope));
}

const cursorLeft = (view: PaneView): string =>
  squash(rowText(splitAt(view.rows[view.cursor.y] ?? [], view.cursor.x).left));

// A short row may hold only the last part of a wrapped ending.
const SHORTEST_PART = 4;
const endsLike = (row: string, ending: string): boolean =>
  row.endsWith(ending) || (row.length >= Math.min(SHORTEST_PART, ending.length) && ending.endsWith(row));

export const cursorRowText = ({ rows, cursor }: PaneView): string => rowText(rows[cursor.y] ?? []).trimEnd();

// The same cursor in the same row of the same text: nothing has happened to the box since.
const sameBox = (view: PaneView, other: PaneView): boolean =>
  view.cursor.x === other.cursor.x && cursorRowText(view) === cursorRowText(other);

// Our last words fill the row above the cursor: where it stands tells nothing about the box.
export function endsInFullRow(view: PaneView, envelope: Envelope): boolean {
  const above = view.rows[view.cursor.y - 1] ?? [];
  const isNextRow = cursorLeft(view) === '' && reachesEdge(above, view.size.columns);
  return isNextRow && endsLike(squash(rowText(above)), tail(envelope));
}

// For a box whose cursor tells nothing: the row in which our text was seen last reads otherwise now, and has not merely
// moved up by the newline that Enter became.
export function leftItsRow(view: PaneView, typed: PaneView, envelope: Envelope): boolean {
  const parts = [squash(envelope.mark), tail(envelope)].filter((part) => part !== '');
  const y = typed.rows.findLastIndex((row) => parts.some((part) => squash(rowText(row)).includes(part)));
  if (y === -1) return true;
  const was = rowText(typed.rows[y] ?? []).trimEnd();
  return [y, y - 1].every((at) => rowText(view.rows[at] ?? []).trimEnd() !== was);
}

export const sameScreen = (view: PaneView, other: PaneView): boolean =>
  sameBox(view, other) &&
  view.rows.map(rowText).join('\n').trimEnd() === other.rows.map(rowText).join('\n').trimEnd();

// What the box holds after Enter: our text as it was, our text with the newline that Enter became, or neither.
export function stillHolds(
  view: PaneView,
  envelope: Envelope,
  typed: PaneView | undefined,
): 'text' | 'text_and_newline' | undefined {
  const isThere = endsLike(cursorLeft(view), tail(envelope)) || endsInRows(view, envelope);
  if (typed ? sameBox(view, typed) : isThere) return 'text';
  const above = view.rows[view.cursor.y - 1] ?? [];
  if (squash(rowText(view.rows[view.cursor.y] ?? [])) !== '' || rowText(above).trim() === '')
    return undefined;
  const endsAbove = typed
    ? rowText(above).trimEnd() === rowText(typed.rows[typed.cursor.y] ?? []).trimEnd()
    : endsLike(squash(rowText(above)), tail(envelope)) && !reachesEdge(above, view.size.columns);
  return endsAbove ? 'text_and_newline' : undefined;
}

// A text that fills its row puts the cursor below it without any newline.
const EDGE = 4;
export const reachesEdge = (row: readonly Cell[], columns: number): boolean =>
  textWidth(rowText(row).trimEnd()) >= columns - EDGE;
