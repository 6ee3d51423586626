import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseStyledRows } from '../terminal/cells.js';
import type { PaneView } from '../tmux/index.js';
import {
  caretKeys,
  endsBefore,
  freshMark,
  MARKS,
  showsCaret,
  splitAtMark,
  withoutKeys,
  withoutOldMarks,
} from './caret.js';

const [MARK, SECOND] = MARKS;

describe('the mark', () => {
  test.each([
    ['nothing but it', MARK, { text: '', caret: 0 }],
    ['in front', `${MARK}abc`, { text: 'abc', caret: 0 }],
    ['inside', `a${MARK}b\nc`, { text: 'ab\nc', caret: 1 }],
    ['behind', `abc\n${MARK}`, { text: 'abc\n', caret: 4 }],
    ['not there', 'abc', undefined],
    ['not in an empty box', '', undefined],
  ])('%s', (_what, content, out) => {
    expect(splitAtMark(content, MARK)).toEqual(out);
  });

  test('leaves every draft as it was', () => {
    const whole = fc.string({ unit: 'grapheme', maxLength: 40 });
    fc.assert(
      fc.property(whole, whole, (before, behind) => {
        fc.pre(!before.includes(MARK) && !behind.includes(MARK));
        const found = splitAtMark(before + MARK + behind, MARK);
        expect(found).toEqual({ text: before + behind, caret: before.length });
      }),
    );
  });

  test('beside another one', () => {
    expect(splitAtMark(`a${MARK}b${SECOND}`, SECOND)).toEqual({ text: `a${MARK}b`, caret: 3 });
  });

  test('is one that does not stand on the screen', () => {
    const shows = (...lines: string[]): PaneView => ({ rows: parseStyledRows(lines) }) as PaneView;
    expect(freshMark(shows('> abc'))).toBe(MARK);
    expect(freshMark(shows('output', `> a${MARK}b`))).toBe(SECOND);
    expect(freshMark(shows(MARKS.join(' ')))).toBe(MARK);
  });

  test.each([
    ['a control key behind it', `a${MARK}\x07b`, ['C-g'], `a${MARK}b`],
    ['both keys of a chord', `a${SECOND}\x18e`, ['C-x', 'e'], `a${SECOND}`],
    ['the first of them', `a${MARK}\x18b`, ['C-x', 'e'], `a${MARK}b`],
    ['a letter alone is the person’s', `${MARK}eb`, ['C-x', 'e'], `${MARK}eb`],
    ['so is what stands elsewhere', `a\x07${MARK}b`, ['C-g'], `a\x07${MARK}b`],
    ['keys that are no text', `${MARK}\x1b`, ['F2'], `${MARK}\x1b`],
  ])('the editor’s keys taken for text: %s', (_what, text, keys, out) => {
    expect(withoutKeys(text, keys)).toBe(out);
  });

  test.each([
    ['one before the caret is taken away', `a${MARK}b`, 2, { text: 'ab', caret: 1 }],
    ['only one', `${MARK}${MARK}`, 2, { text: MARK, caret: 1 }],
    ['one right behind the caret', `a${MARK}b`, 1, { text: 'ab', caret: 1 }],
    ['another one is the person’s own', `a${SECOND}b`, 2, { text: `a${SECOND}b`, caret: 2 }],
    ['one further in front stays', `${MARK}ab`, 2, { text: `${MARK}ab`, caret: 2 }],
    ['nothing there', 'ab', 1, { text: 'ab', caret: 1 }],
    ['an empty box', '', 0, { text: '', caret: 0 }],
  ])('an old mark: %s', (_what, text, caret, out) => {
    expect(withoutOldMarks({ text, caret }, [MARK])).toEqual(out);
  });

  test('those of two readings that were cut off', () => {
    expect(withoutOldMarks({ text: `ab${MARK}${SECOND}cd`, caret: 4 }, [MARK, SECOND])).toEqual({
      text: 'abcd',
      caret: 2,
    });
    expect(withoutOldMarks({ text: `ab${MARK}${MARK}cd`, caret: 2 }, [MARK, MARK])).toEqual({
      text: 'abcd',
      caret: 2,
    });
  });

  test.each([
    ['before the cursor', [`> ab${MARK}`], { x: 5, y: 0 }, true],
    ['further in front', [`> a${MARK}b`], { x: 5, y: 0 }, false],
    ['at the end of a full row', [`> abcdefg${MARK}`, ''], { x: 0, y: 1 }, true],
    ['at the end of a full row, inside borders', [`│ abcdef${MARK}│`, '│ '], { x: 2, y: 1 }, true],
    ['at the end of a short row', [`> ab${MARK}`, ''], { x: 0, y: 1 }, false],
  ])('is seen %s', (_where, lines, cursor, seen) => {
    const view = {
      rows: parseStyledRows(lines),
      cursor,
      size: { columns: 10, rows: 2 },
    } as unknown as PaneView;
    expect(endsBefore(view, MARK)).toBe(seen);
  });
});

test.each<[string, string, number, string[], { x: number; y: number }, boolean]>([
  ['in the middle', 'abc中de', 4, ['> abc中de'], { x: 7, y: 0 }, true],
  ['not there yet', 'abc中de', 4, ['> abc中de'], { x: 9, y: 0 }, false],
  ['behind a blank', 'abc ', 4, ['> abc'], { x: 6, y: 0 }, true],
  ['around an edge', 'abcdefghij', 10, ['│ abcdef│', '│ ghij'], { x: 6, y: 1 }, true],
  ['of a text that is not painted', 'abc', 3, ['> '], { x: 2, y: 0 }, false],
  ['at the start of a line', 'ab\ncd', 3, ['> '], { x: 2, y: 0 }, true],
])('a caret that shows: %s', (_what, text, caret, lines, cursor, shown) => {
  const view = {
    rows: parseStyledRows(lines),
    cursor,
    size: { columns: 10, rows: 2 },
  } as unknown as PaneView;
  expect(showsCaret(view, { text, caret, exact: true })).toBe(shown);
});

describe('the way back', () => {
  const FAMILY = '👨‍👩‍👧';
  test.each<[string, number | null, number, number]>([
    ['abc', 3, 0, 0],
    ['abc', 1, 2, 2],
    ['abc', 0, 3, 3],
    ['abc', null, 0, 0],
    ['', 0, 0, 0],
    ['a\n\nb', 1, 3, 3],
    ['a中字', 1, 2, 2],
    ['a🙂b', 1, 2, 2],
    ['e\u0301a', 0, 2, 3],
    [`a${FAMILY}b`, 1, 2, 6],
    ['a🇩🇪b', 1, 2, 3],
  ])('%j from %s: %i by graphemes, %i by code points', (text, caret, graphemes, codePoints) => {
    const keys = (moves: 'grapheme' | 'code_point'): string[] =>
      caretKeys({ text, caret, exact: true }, moves);
    expect(keys('grapheme')).toEqual(Array(graphemes).fill('Left'));
    expect(keys('code_point')).toEqual(Array(codePoints).fill('Left'));
  });
});

test('an agent that leaves the caret short of the end is brought there first', () => {
  const draft = { text: 'a\nb\ncd', caret: 5, exact: true };
  expect(caretKeys(draft, 'code_point', 'newlines_short')).toEqual(['Right', 'Right', 'Left']);
  expect(caretKeys({ ...draft, caret: null }, 'code_point', 'newlines_short')).toEqual([]);
});
