// A pane as bytes that paint it into a fresh terminal of the same size: scrollback, screen, cursor, modes.
import { parseStyledRows, SgrState, textWidth } from './cells.js';
import type { StreamFacts } from './stream-state.js';

// One row as tmux captures it, with SGR sequences that go on from the row before.
export interface Row {
  text: string;
  // The next row is the rest of the same line.
  wraps: boolean;
}

export interface Picture {
  columns: number;
  rows: number;
  scrollback: readonly Row[];
  screen: readonly Row[];
  // While the alternate screen is on: what lies under it, and where its cursor was.
  under: { screen: readonly Row[]; cursor: { x: number; y: number } } | undefined;
  // `x` is the number of columns where the next character will wrap.
  cursor: { x: number; y: number; visible: boolean };
  // First and last row that scroll.
  region: { upper: number; lower: number };
  insert: boolean;
  wrap: boolean;
  origin: boolean;
  applicationCursor: boolean;
  applicationKeypad: boolean;
  // Private modes of the mouse that are on.
  mouse: readonly number[];
  bracketed: boolean;
  focus: boolean;
}

export type Stream = Pick<StreamFacts, 'pen' | 'cursorShape' | 'unfinished'>;

// tmux writes lines of boxes as letters of G1.
const CHARSETS = '\x1b(B\x1b)0\x0f';

export function paint(picture: Picture, stream: Stream): Buffer {
  const { rows, scrollback, screen, under } = picture;
  const parts = [CHARSETS];
  if (under) {
    // Captured apart: its styles do not go on from those of the scrollback.
    parts.push(flow(scrollback, picture), scrollback.length > 0 ? NEWLINE : '');
    parts.push(flow(sized(under.screen, rows), picture), '\x0f\x1b[m', moveTo(under.cursor));
    parts.push('\x1b[?1049h', place(screen, scrollback, picture));
  } else parts.push(flow([...scrollback, ...screen], picture));
  parts.push('\x0f\x1b[m', modes(picture), cursor(picture), shape(stream));
  return Buffer.concat([Buffer.from(parts.join('')), stream.unfinished]);
}

const NEWLINE = '\x1b[m\r\n';
const moveTo = ({ x, y }: { x: number; y: number }): string => `\x1b[${y + 1};${x + 1}H`;

// Top to bottom; what does not fit scrolls up.
function flow(lines: readonly Row[], { columns }: Picture): string {
  const style = new SgrState();
  const parts: string[] = [];
  let goesOn = false;
  for (const [index, { text, wraps }] of lines.entries()) {
    parts.push(written(text, style));
    const width = textWidth(plain(text));
    // A line that scrolls in takes the background that is in force.
    if (goesOn && width < columns) parts.push('\x1b[m\x1b[K', again(style));
    goesOn = wraps && width >= columns - 1;
    if (index < lines.length - 1 && !goesOn) parts.push(NEWLINE, again(style));
  }
  return parts.join('');
}

// Row by row where each belongs; `before` has the styles that the first one goes on from.
function place(lines: readonly Row[], before: readonly Row[], { columns }: Picture): string {
  const style = new SgrState();
  for (const { text } of before) written(text, style);
  const parts: string[] = [again(style)];
  let goesOn = false;
  for (const [y, { text, wraps }] of lines.entries()) {
    if (!goesOn) parts.push(moveTo({ x: 0, y }));
    parts.push(written(text, style));
    goesOn = wraps && textWidth(plain(text)) >= columns - 1;
  }
  return parts.join('');
}

const SGR = /\x1b\[([0-9;:]*)m/g;

function written(text: string, style: SgrState): string {
  for (const [, parameters = ''] of text.matchAll(SGR)) style.apply(parameters);
  return text;
}

const again = ({ key }: SgrState): string => (key === '' ? '' : `\x1b[${key}m`);
const plain = (text: string): string => text.replace(SGR, '').replace(/[\x0e\x0f]/g, '');

// A screen that was left at another size: its last rows, or blank ones below.
const sized = (lines: readonly Row[], rows: number): Row[] =>
  Array.from(
    { length: rows },
    (_, y) => lines[y + Math.max(0, lines.length - rows)] ?? { text: '', wraps: false },
  );

function modes(picture: Picture): string {
  const { rows, region } = picture;
  const on = (is: boolean, sequence: string): string => (is ? sequence : '');
  return [
    on(region.upper > 0 || region.lower < rows - 1, `\x1b[${region.upper + 1};${region.lower + 1}r`),
    on(picture.applicationCursor, '\x1b[?1h'),
    on(picture.applicationKeypad, '\x1b='),
    on(picture.bracketed, '\x1b[?2004h'),
    on(picture.focus, '\x1b[?1004h'),
    ...picture.mouse.map((mode) => `\x1b[?${mode}h`),
    on(picture.origin, '\x1b[?6h'),
    on(!picture.cursor.visible, '\x1b[?25l'),
  ].join('');
}

function cursor({ columns, screen, cursor: { x, y }, origin, region, wrap, insert }: Picture): string {
  const row = y - (origin ? region.upper : 0);
  // A cursor behind the last column stands there only after a character.
  const last =
    x >= columns ? parseStyledRows(screen.slice(0, y + 1).map(({ text }) => text))[y]?.at(-1) : undefined;
  const standing = last
    ? `${moveTo({ x: columns - last.width, y: row })}\x1b[${last.style}m${last.text}\x1b[m`
    : moveTo({ x: Math.min(x, columns - 1), y: row });
  return `${standing}${wrap ? '' : '\x1b[?7l'}${insert ? '\x1b[4h' : ''}`;
}

const shape = ({ pen, cursorShape }: Stream): string =>
  `${cursorShape > 0 ? `\x1b[${cursorShape} q` : ''}${pen === '' ? '' : `\x1b[${pen}m`}`;
