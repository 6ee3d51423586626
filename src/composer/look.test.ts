import { describe, expect, test } from 'vitest';
import { parseStyledRows } from '../terminal/cells.js';
import type { PaneView } from '../tmux/index.js';
import { beginsLike, looksEmpty, mayBeEmpty, takeLook } from './look.js';

// The screen as tmux captures it, and where the cursor is in it.
const view = (lines: string[], x: number, y = 0): PaneView => ({
  pane: '%1',
  tmuxSession: '$1',
  window: '@1',
  dead: false,
  inMode: false,
  synchronized: false,
  cursor: { x, y, visible: true },
  size: { columns: 40, rows: 10 },
  program: 'agent',
  pid: 1,
  tty: '/dev/null',
  alternateScreen: false,
  rows: parseStyledRows(lines),
  clients: [],
  sessionActivity: 0,
  sessionLastAttached: 0,
});

const DIM = '\x1b[2m';
const GREY = '\x1b[38;5;246m';
const REVERSE = '\x1b[7m';
const RESET = '\x1b[0m';

describe('a box with a prompt', () => {
  const empty = takeLook(view(['> '], 2));

  test('is empty when the cursor stands right behind it', () => {
    expect(looksEmpty(view(['> '], 2), empty)).toBe(true);
    expect(looksEmpty(view(['output', '', '>'], 2, 2), empty)).toBe(true);
  });

  test('is not empty with the cursor behind a draft, inside it or before it', () => {
    expect(looksEmpty(view(['> draft'], 7), empty)).toBe(false);
    expect(looksEmpty(view(['> draft'], 4), empty)).toBe(false);
    expect(looksEmpty(view(['> draft'], 2), empty)).toBe(false);
  });

  test('is not empty with a draft of one character and the cursor at Home', () => {
    expect(looksEmpty(view(['> x'], 2), empty)).toBe(false);
    expect(looksEmpty(view([`> ${REVERSE}x${RESET}`], 2), empty)).toBe(false);
    expect(looksEmpty(view(['> 中'], 2), empty)).toBe(false);
  });

  test('is told from a dialog by how its row begins', () => {
    expect(beginsLike(view(['> [Pasted text]'], 15), empty)).toBe(true);
    expect(beginsLike(view([' Allow this?', '  > 1. Yes'], 4, 1), empty)).toBe(false);
  });

  test('is not that box when another prompt stands there', () => {
    expect(looksEmpty(view(['$ '], 2), empty)).toBe(false);
    expect(looksEmpty(view(['? Allow this'], 2), empty)).toBe(false);
  });
});

test('a box with a line below is not empty when text stands there instead', () => {
  const empty = takeLook(view(['───────', '> ', '───────'], 2, 1));
  expect(looksEmpty(view(['output', '───────', '> ', '───────'], 2, 2), empty)).toBe(true);
  expect(looksEmpty(view(['───────', '> ', '  below', '───────'], 2, 1), empty)).toBe(false);
  expect(looksEmpty(view(['───────', '> ', '', '───────'], 2, 1), empty)).toBe(false);
});

test('a box with nothing below is not empty when text stands there', () => {
  const empty = takeLook(view(['> ', '', 'hint'], 2));
  expect(looksEmpty(view(['> '], 2), empty)).toBe(true);
  expect(looksEmpty(view(['> ', `${DIM}a hint${RESET}`], 2), empty)).toBe(true);
  expect(looksEmpty(view(['> ', '  below', 'hint'], 2), empty)).toBe(false);
});

test('words below that were always there may change', () => {
  const empty = takeLook(view(['> ', 'status 1'], 2));
  expect(looksEmpty(view(['> ', 'status 2'], 2), empty)).toBe(true);
  expect(looksEmpty(view(['> ', ''], 2), empty)).toBe(true);
});

describe('a box with a border', () => {
  const empty = takeLook(view(['╭──────────╮', '│ >        │', '╰──────────╯'], 4, 1));

  test('is empty whatever its width', () => {
    expect(looksEmpty(view(['╭────────────╮', '│ >          │', '╰────────────╯'], 4, 1), empty)).toBe(true);
  });

  test('is not empty with a draft and the cursor at Home', () => {
    expect(looksEmpty(view(['╭──────────╮', '│ > x      │', '╰──────────╯'], 4, 1), empty)).toBe(false);
  });
});

describe.each([
  ['dim', DIM],
  ['in a colour of its own', GREY],
])('a placeholder that is %s', (_, style) => {
  const shown = view([`> ${style}Type your message${RESET}`], 2);
  const empty = takeLook(shown);

  test('is known by its style, not by its words', () => {
    expect(looksEmpty(shown, empty)).toBe(true);
    expect(looksEmpty(view([`> ${style}Try "fix the tests"${RESET}`], 2), empty)).toBe(true);
  });

  test('may have its first character drawn as the cursor', () => {
    expect(looksEmpty(view([`> ${REVERSE}T${RESET}${style}ype your message${RESET}`], 2), empty)).toBe(true);
  });

  test('is away while one character stands under the cursor alone', () => {
    expect(looksEmpty(view(['> x'], 2), empty)).toBe(false);
    expect(looksEmpty(view([`> ${REVERSE}x${RESET}`], 2), empty)).toBe(false);
  });

  test('is no draft in the style of ordinary text', () => {
    expect(looksEmpty(view(['> Type your message'], 2), empty)).toBe(false);
    expect(looksEmpty(view(['> Type your message'], 19), empty)).toBe(false);
  });

  test('is away while a draft is there', () => {
    expect(looksEmpty(view(['> x'], 3), empty)).toBe(false);
    expect(looksEmpty(view(['> xy'], 2), empty)).toBe(false);
  });
});

describe('a box without a prompt below its rule', () => {
  const screen = (...rows: string[]): string[] => ['────────────', ...rows, '────────────'];
  const empty = takeLook(view(screen(''), 0, 1));

  test('is empty when the cursor stands right below the line', () => {
    expect(looksEmpty(view(['more output', ...screen('')], 0, 2), empty)).toBe(true);
  });

  test('is not empty further down: there the cursor stands below text', () => {
    expect(looksEmpty(view(screen('a draft', ''), 0, 2), empty)).toBe(false);
    expect(looksEmpty(view(screen('', ''), 0, 2), empty)).toBe(false);
  });

  test('is not empty with a draft and the cursor at Home', () => {
    expect(looksEmpty(view(screen('draft'), 0, 1), empty)).toBe(false);
  });
});

describe('a box that was never seen empty', () => {
  test.each<[string, string[], number, number, boolean]>([
    ['a prompt alone', ['> '], 2, 0, true],
    ['a prompt and a dim placeholder', [`> ${DIM}Type${RESET}`], 2, 0, true],
    ['a bordered box', ['╭────╮', '│ >  │', '╰────╯'], 4, 1, true],
    ['words before the cursor', ['> draft'], 7, 0, false],
    ['words behind the cursor', ['> draft'], 2, 0, false],
    ['words in the row above', ['> first line', '  '], 2, 1, false],
  ])('may be empty with %s: see', (_, rows, x, y, may) => {
    expect(mayBeEmpty(view(rows, x, y))).toBe(may);
  });
});

test('a cursor outside of the captured rows is an empty row, not a failure', () => {
  expect(takeLook(view([], 0, 5))).toMatchObject({ column: 0, left: '', right: '' });
});
