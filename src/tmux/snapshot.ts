// All that a viewer of a pane needs to begin with, of one moment: scrollback, screen, cursor and modes.
import type { Picture, Row } from '../terminal/paint.js';
import { TmuxError } from './errors.js';
import type { Block } from './protocol.js';
import { quote } from './quote.js';

export interface Snapshot extends Omit<Picture, 'bracketed' | 'focus'> {
  alternate: boolean;
  title: string;
}

const FIELDS = [
  'pane_width',
  'pane_height',
  'cursor_x',
  'cursor_y',
  'cursor_flag',
  'alternate_on',
  'alternate_saved_x',
  'alternate_saved_y',
  'insert_flag',
  'wrap_flag',
  'origin_flag',
  'keypad_cursor_flag',
  'keypad_flag',
  'mouse_standard_flag',
  'mouse_button_flag',
  'mouse_all_flag',
  'mouse_utf8_flag',
  'mouse_sgr_flag',
  'scroll_region_upper',
  'scroll_region_lower',
  'pane_title',
] as const;
type Field = (typeof FIELDS)[number];

const SEPARATOR = '\t';
const MOUSE = [
  ['mouse_standard_flag', 1000],
  ['mouse_button_flag', 1002],
  ['mouse_all_flag', 1003],
  ['mouse_utf8_flag', 1005],
  ['mouse_sgr_flag', 1006],
] as const;

// Rows as they are, and lines as they would be without wrapping: together they tell which rows go on in the next.
export const snapshotCommands = (pane: string, scrollback: number): string[] => [
  `display-message -p -t ${pane} ${quote(FIELDS.map((name) => `#{${name}}`).join(SEPARATOR))}`,
  `capture-pane -p -e -N -S -${scrollback} -t ${pane}`,
  `capture-pane -p -e -J -S -${scrollback} -t ${pane}`,
  `capture-pane -p -e -N -a -q -t ${pane}`,
];

export function parseSnapshot(blocks: readonly Block[]): Snapshot {
  const failed = blocks.find((block) => !block.ok);
  if (failed) throw new TmuxError('snapshot', textLines(failed).join(' '));
  const [head, rows, joined, under] = blocks.map(textLines);
  const values = head?.[0]?.split(SEPARATOR) ?? [];
  const value = (name: Field): string => values[FIELDS.indexOf(name)] ?? '';
  const number = (name: Field): number => Number(value(name));
  const is = (name: Field): boolean => value(name) === '1';
  const height = number('pane_height');
  const all = wrapped(rows ?? [], joined ?? []);
  const alternate = is('alternate_on');
  return {
    columns: number('pane_width'),
    rows: height,
    scrollback: all.slice(0, -height),
    screen: all.slice(-height),
    under: alternate
      ? {
          screen: (under ?? []).map((text) => ({ text, wraps: false })),
          cursor: { x: number('alternate_saved_x'), y: number('alternate_saved_y') },
        }
      : undefined,
    cursor: { x: number('cursor_x'), y: number('cursor_y'), visible: is('cursor_flag') },
    region: { upper: number('scroll_region_upper'), lower: number('scroll_region_lower') },
    insert: is('insert_flag'),
    wrap: is('wrap_flag'),
    origin: is('origin_flag'),
    applicationCursor: is('keypad_cursor_flag'),
    applicationKeypad: is('keypad_flag'),
    mouse: MOUSE.flatMap(([name, mode]) => (is(name) ? [mode] : [])),
    alternate,
    // The only field that may hold the separator.
    title: values.slice(FIELDS.length - 1).join(SEPARATOR),
  };
}

export function wrapped(rows: readonly string[], lines: readonly string[]): Row[] {
  const found: Row[] = [];
  let line = 0;
  let soFar = '';
  for (const text of rows) {
    soFar += text;
    const whole = lines[line] ?? '';
    const wraps = soFar.length < whole.length && whole.startsWith(soFar);
    found.push({ text, wraps });
    if (wraps) continue;
    soFar = '';
    line++;
  }
  return found;
}

const textLines = (block: Block | undefined): string[] =>
  block?.lines.map((bytes) => bytes.toString('utf8')) ?? [];
