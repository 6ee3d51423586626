import { describe, expect, test } from 'vitest';
import { parseStyledRows } from '../terminal/cells.js';
import type { PaneView } from '../tmux/index.js';
import {
  countMarks,
  type Envelope,
  endsAtCursor,
  endsInFullRow,
  leftItsRow,
  seenInBox,
  stillHolds,
} from './evidence.js';

const view = (lines: string[], x: number, y: number, columns = 30): PaneView => ({
  pane: '%1',
  tmuxSession: '$1',
  window: '@1',
  dead: false,
  inMode: false,
  synchronized: false,
  cursor: { x, y, visible: true },
  size: { columns, rows: 10 },
  program: 'agent',
  pid: 1,
  tty: '/dev/null',
  alternateScreen: false,
  rows: parseStyledRows(lines),
  clients: [],
  sessionActivity: 0,
  sessionLastAttached: 0,
});

const letter: Envelope = {
  payload: '[Input from: user via sm send] #abc123def456\nplease run the tests',
  mark: '#abc123def456',
};

describe('our mark', () => {
  test('is counted on the whole screen', () => {
    expect(countMarks(view(['x #abc123def456', '> #abc123def456'], 0, 0), letter)).toBe(2);
    expect(countMarks(view(['> #abc123'], 0, 0), letter)).toBe(0);
  });

  test('is found across a wrapped row of a bordered box', () => {
    expect(countMarks(view(['│ > send] #abc12 │', '│   3def456      │'], 0, 0), letter)).toBe(1);
  });
});

describe('our text is seen in the box', () => {
  const before = view(['> '], 2, 0);
  const shown = view(
    ['> [Input from: user via sm', '  send] #abc123def456', '  please run the tests'],
    22,
    2,
  );

  test('by its id', () => expect(seenInBox(shown, letter, before)).toBe('id'));

  test('not by an id that was on the screen before', () => {
    const old = view(['earlier: #abc123def456', '> '], 2, 1);
    expect(seenInBox(old, letter, old)).toBeUndefined();
  });

  test('by its ending, where the id has scrolled out of a small box', () => {
    expect(seenInBox(view(['  please run the tests'], 22, 0), letter, before)).toBe('ending');
    expect(seenInBox(view(['  please run the', '  tests'], 7, 1), letter, before)).toBe('ending');
  });

  test('not by an ending that the cursor does not stand behind', () => {
    expect(seenInBox(view(['please run the tests', '> '], 2, 1), letter, before)).toBeUndefined();
    expect(seenInBox(view(['please run the tests now'], 24, 0), letter, before)).toBeUndefined();
  });

  test('by a last line of two letters, with the id above it', () => {
    const short = { ...letter, payload: '[Input from: user via sm send] #abc123def456\nok' };
    const rows = ['> [Input from: user via sm', '  send] #abc123def456', '  ok'];
    expect(endsAtCursor(view(rows, 4, 2), short)).toBe(true);
    expect(stillHolds(view(rows, 4, 2), short, undefined)).toBe('text');
    // Sent already: it stands above an empty box.
    expect(endsAtCursor(view([...rows, '', '> '], 2, 4), short)).toBe(false);
    expect(endsAtCursor(view([...rows, '', ''], 0, 4), short)).toBe(false);
    expect(endsAtCursor(view(['another line', '  ok'], 4, 1), short)).toBe(false);
  });

  test('not by a character or two that happen to be the same', () => {
    expect(endsAtCursor(view(['> ts'], 2, 0), letter)).toBe(false);
    expect(endsAtCursor(view(['ts'], 2, 0), letter)).toBe(false);
    expect(endsAtCursor(view(['ests'], 4, 0), letter)).toBe(true);
  });

  test('in the row above, when a newline follows it', () => {
    expect(endsAtCursor(view(['  please run the tests', ''], 0, 1), letter)).toBe(true);
    expect(endsAtCursor(view(['  something else', ''], 0, 1), letter)).toBe(false);
  });

  test('whole, where it is shorter than any part would have to be', () => {
    const short: Envelope = { payload: 'ls', mark: 'ls' };
    expect(endsAtCursor(view(['$ ls'], 4, 0), short)).toBe(true);
    expect(endsAtCursor(view(['$ l'], 3, 0), short)).toBe(false);
  });
});

describe('after Enter, the box', () => {
  const typed = view(['  please run the tests'], 22, 0);

  test('holds our text when nothing has happened to it', () => {
    expect(stillHolds(typed, letter, typed)).toBe('text');
    expect(stillHolds(view(['output', '  please run the tests   '], 22, 1), letter, typed)).toBe('text');
  });

  test('holds our text and a newline when Enter became one', () => {
    expect(stillHolds(view(['  please run the tests', ''], 0, 1), letter, typed)).toBe('text_and_newline');
    expect(stillHolds(view(['  please run the tests', '  '], 2, 1), letter, typed)).toBe('text_and_newline');
  });

  test.each([
    ['it is empty', view(['  please run the tests', '> '], 2, 1)],
    ['something stands behind the cursor below', view(['  please run the tests', 'busy'], 0, 1)],
    ['another text is in it', view(['  please run the tests now'], 26, 0)],
    ['nothing stands above', view(['', ''], 0, 1)],
    ['something else stands above', view(['done', ''], 0, 1)],
  ])('does not hold it when %s', (_, after) => {
    expect(stillHolds(after, letter, typed)).toBeUndefined();
  });

  test('is judged by our ending alone when it was not seen before Enter', () => {
    expect(stillHolds(typed, letter, undefined)).toBe('text');
    expect(stillHolds(view(['  please run the tests', ''], 0, 1), letter, undefined)).toBe(
      'text_and_newline',
    );
    expect(stillHolds(view(['> '], 2, 0), letter, undefined)).toBeUndefined();
  });

  test('has no newline in it when our text fills its row to the edge', () => {
    const full = view(['  please run the tests', ''], 0, 1, 24);
    expect(stillHolds(full, letter, undefined)).toBeUndefined();
  });
});

describe('where the cursor tells nothing, our text has left', () => {
  const typed = view(['> #abc123def456', '  please run the tests', ''], 0, 2);

  test('when its last row reads otherwise', () => {
    expect(leftItsRow(view(['> ', '', ''], 0, 1), typed, letter)).toBe(true);
    expect(leftItsRow(view(['#abc123def456', 'please run the tests', '> ', ''], 0, 3), typed, letter)).toBe(
      true,
    );
  });

  test('not when it has moved up by the newline that Enter became', () => {
    const low = view(['above', '> #abc123def456', '  please run the tests'], 0, 2);
    const grown = view(['> #abc123def456', '  please run the tests', ''], 0, 2);
    expect(leftItsRow(grown, low, letter)).toBe(false);
  });

  test('not when only something else has changed', () => {
    expect(
      leftItsRow(view(['> #abc123def456', '  please run the tests', '12:01'], 0, 2), typed, letter),
    ).toBe(false);
  });
});

test('our last words may fill the row above the cursor', () => {
  const full = `\u2503 ${'y'.repeat(27)}`;
  const filling: Envelope = { payload: `#abc123def456\n${'y'.repeat(27)}`, mark: '#abc123def456' };
  expect(endsInFullRow(view([full, '\u2503 '], 2, 1), filling)).toBe(true);
  expect(endsInFullRow(view(['\u2503 yyyy', '\u2503 '], 2, 1), filling)).toBe(false);
  expect(endsInFullRow(view([full], 29, 0), filling)).toBe(false);
});
