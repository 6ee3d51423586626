// What stands between sentinels on a screen: pure reading of one view. Row breaks inside a line are soft, and hide blanks.
import { type Cell, rowText } from '../terminal/cells.js';
import type { PaneView } from '../tmux/index.js';
import { ownBar, withoutOwnBars } from './sentinel-border.js';
import { type FoundMark, findMarks, type MarkPair, type Marks, ROW_BREAK } from './sentinel-marks.js';

// A screen as one text, rows joined with newlines, and the cell of each of its UTF-16 units.
export interface FlatScreen {
  text: string;
  cells: { x: number; y: number }[];
}

// One view is looked at with several questions.
const known = new WeakMap<readonly (readonly Cell[])[], FlatScreen>();

export function flatten(rows: readonly (readonly Cell[])[]): FlatScreen {
  const flat = known.get(rows) ?? flattened(rows);
  known.set(rows, flat);
  return flat;
}

function flattened(rows: readonly (readonly Cell[])[]): FlatScreen {
  let text = '';
  const cells: FlatScreen['cells'] = [];
  withoutOwnBars(rows).forEach((row, y) => {
    let last = row.length - 1;
    while (last >= 0 && row[last]?.text === ' ') last--;
    let x = 0;
    for (const cell of row.slice(0, last + 1)) {
      text += cell.text;
      for (let i = 0; i < cell.text.length; i++) cells.push({ x, y });
      x += cell.width;
    }
    text += '\n';
    cells.push({ x, y });
  });
  return { text, cells };
}

// A line as far as one screen shows it: its characters other than blanks, and how many blanks stand before each of
// them and before the end. Where a row breaks their number is not known (null).
export interface LineShape {
  chars: string[];
  blanks: (number | null)[];
}

// Stands for the caret mark among the characters of a line; no text may hold this code point.
export const CARET = '\ufdd0';

const BREAK = new RegExp(ROW_BREAK, 'gu');

export function shapeOf(raw: string): LineShape {
  const chars: string[] = [];
  const blanks: (number | null)[] = [];
  let run: number | null = 0;
  for (const char of raw.replace(BREAK, '\n')) {
    if (char === ' ') run = run === null ? null : run + 1;
    else if (char === '\n') run = null;
    else {
      chars.push(ownBar(char));
      blanks.push(run);
      run = 0;
    }
  }
  return { chars, blanks: [...blanks, run] };
}

// Two looks at one line that was broken at different places; undefined when they are not of the same line.
export function mergeShapes(a: LineShape, b: LineShape): LineShape | undefined {
  if (a.chars.length !== b.chars.length || a.chars.some((char, i) => char !== b.chars[i])) return undefined;
  const blanks = a.blanks.map((n, i) => n ?? b.blanks[i] ?? null);
  if (blanks.some((n, i) => n !== null && b.blanks[i] !== null && b.blanks[i] !== n)) return undefined;
  return { chars: a.chars, blanks };
}

export const isBlank = ({ chars, blanks }: LineShape): boolean => chars.length === 0 && blanks[0] === 0;

export const isWhole = ({ blanks }: LineShape): boolean => !blanks.includes(null);

export const lineText = ({ chars, blanks }: LineShape): string =>
  chars.map((char, i) => ' '.repeat(blanks[i] ?? 0) + char).join('') + ' '.repeat(blanks[chars.length] ?? 0);

export interface MarkedLines {
  lines: LineShape[];
  // Pairs of marks that the last line got beyond its own, because there was no further line.
  extra: number;
  // The cell in which the last line's start mark begins.
  lastStart: { x: number; y: number };
}

// The last `count` pairs of marks, all of one kind; undefined while they are not on the screen as they should be.
export function readPairs(
  view: PaneView,
  marks: Marks,
  kind: MarkPair,
  count: number,
): MarkedLines | undefined {
  const flat = flatten(view.rows);
  const found = findMarks(flat.text, marks);
  const all = found.filter(({ name }) => name === 'start' || name === 'end');
  const own = all.slice(-2 * count);
  if (own.length < 2 * count || own.some(({ text }, i) => text !== (i % 2 ? kind.end : kind.start)))
    return undefined;
  const between = (left: FoundMark | undefined, right: FoundMark | undefined): string =>
    flat.text.slice(left?.to, right?.from);
  const cellOf = (mark: FoundMark | undefined) => flat.cells[mark?.from ?? 0] ?? { x: 0, y: 0 };
  const [startBefore, endBefore] = all.slice(0, -2 * count).slice(-2);
  // The line before was the last one: all pairs stand behind its end.
  if (endBefore?.name === 'end' && between(endBefore, own[0]) === '')
    return { lines: [], extra: count, lastStart: cellOf(startBefore) };
  const lines: LineShape[] = [];
  let last = own[0];
  for (let i = 0; i < own.length; i += 2) {
    const [start, end, next] = own.slice(i, i + 3) as [FoundMark, FoundMark, FoundMark | undefined];
    const raw = caretMarked(flat.text, start.to, end.from, found);
    if (raw === undefined) return undefined;
    lines.push(shapeOf(raw));
    last = start;
    const gap = next ? between(end, next) : '\n';
    if (gap === '') break;
    // Behind the end of a line nothing may stand but a border.
    if (!/^[\s│┃║]*\n[^\n]*$/u.test(gap)) return undefined;
  }
  return { lines, extra: count - lines.length, lastStart: cellOf(last) };
}

function caretMarked(
  text: string,
  from: number,
  to: number,
  found: readonly FoundMark[],
): string | undefined {
  const inside = found.filter((mark) => mark.from >= from && mark.to <= to);
  if (inside.length === 0) return text.slice(from, to);
  const [caret, ...others] = inside;
  if (others.length > 0 || caret?.name !== 'caret') return undefined;
  return text.slice(from, caret.from) + CARET + text.slice(caret.to, to);
}

// What was read must have been on the screen before we typed, blanks aside: else somebody types. A box that shows only a
// part of the draft has scrolled lines out at its top and bottom, never the one with the caret unless that wraps.
export function isAccountedFor(
  before: PaneView,
  lines: readonly string[],
  caretLine: number,
  shows: 'all' | 'part',
): boolean {
  const squash = (text: string): string => text.replace(/[\s\u2500-\u259f]/gu, '');
  const screen = squash(before.rows.map((row) => row.map((cell) => cell.text).join('')).join(''));
  const shown = lines.map(
    (line) => screen.includes(squash(line)) || (shows === 'part' && line.length > before.size.columns / 2),
  );
  if (shows === 'all') return !shown.includes(false);
  const first = shown.indexOf(true);
  const last = shown.lastIndexOf(true);
  return first <= caretLine && caretLine <= last && !shown.slice(first, last + 1).includes(false);
}

const JOINER = '\u200d';
const ROWS_AROUND = 15;

// tmux keeps so few bytes a cell that it cuts a family of emoji, and draws what follows a joiner into the same cell: neither
// the text nor a mark behind it can be trusted. Asked of the rows around the caret, up to the lines drawn above and below.
export function hasJoinedEmoji(view: PaneView): boolean {
  const isRule = (y: number): boolean => /^\s*[\u2500-\u257f]{3}/u.test(rowText(view.rows[y] ?? []));
  const look = (way: 1 | -1): boolean => {
    for (let i = 0, y = view.cursor.y; i < ROWS_AROUND && y >= 0 && y < view.rows.length; i++, y += way) {
      if (i > 0 && isRule(y)) return false;
      if (rowText(view.rows[y] ?? []).includes(JOINER)) return true;
    }
    return false;
  };
  return look(-1) || look(1);
}

export const isJoined = (text: string): boolean => text.includes(JOINER);

const MOST_ROWS_ABOVE = 12;

// How far up the row begins as the empty box does. A guess that saves a try, nothing more.
export function rowsAbove(view: PaneView, prompt: string): number {
  if (prompt.trim() === '') return 0;
  for (let up = 0; up <= Math.min(MOST_ROWS_ABOVE, view.cursor.y); up++)
    if (rowText(view.rows[view.cursor.y - up] ?? []).startsWith(prompt.trimEnd())) return up;
  return 0;
}
