// Reading between sentinels on screens as they are captured: the walk-through, blank lines, wrapping, borders.
import { describe, expect, test } from 'vitest';
import { parseStyledRows } from '../terminal/cells.js';
import type { PaneView } from '../tmux/index.js';
import { findMarks, makeMarks } from './sentinel-marks.js';
import {
  CARET,
  flatten,
  isAccountedFor,
  isWhole,
  lineText,
  mergeShapes,
  readPairs,
  shapeOf,
} from './sentinel-screen.js';

const marks = makeMarks('a token');
const [{ start: S, end: E }] = marks.pairs;
const view = (...rows: string[]): PaneView =>
  ({ rows: parseStyledRows(rows), size: { columns: 40, rows: rows.length } }) as unknown as PaneView;
const read = (count: number, ...rows: string[]) => {
  const found = readPairs(view(...rows), marks, marks.pairs[0], count);
  return found && { lines: found.lines.map(lineText), extra: found.extra };
};
const RULE = '─'.repeat(30);

describe('marks', () => {
  test('are §XXXX§ of the token: the same again for it, others for another', () => {
    const all = [...marks.pairs.flatMap(({ start, end }) => [start, end]), marks.caret, ...marks.proof];
    for (const mark of all) expect(mark).toMatch(/^§.{4}§$/u);
    expect(new Set(all).size).toBe(all.length);
    expect(makeMarks('a token')).toEqual(marks);
    expect(makeMarks('another').pairs[0].start).not.toBe(S);
  });

  test('the first one typed holds no letter and no digit: those are hot keys in a dialog', () => {
    for (let i = 0; i < 200; i++) expect(makeMarks(String(i)).caret).not.toMatch(/[a-z0-9]/i);
  });

  test('are found where a row breaks inside them, in a bordered box too', () => {
    const broken = `│ xx ${S.slice(0, 3)} │\n│ ${S.slice(3)}text │`;
    expect(findMarks(broken, marks)).toMatchObject([{ name: 'start', text: S }]);
  });
});

describe('readPairs', () => {
  test('the walk-through: three lines, the caret in the second, one pair beyond the last', () => {
    const screen = [
      ' * Thinking...',
      RULE,
      ` > ${S}Line 1${E}`,
      `   ${S}Li${marks.caret}ne 2${E}`,
      `   ${S}Line 3${E}${S}${E}`,
      RULE,
    ];
    expect(read(4, ...screen)).toEqual({ lines: ['Line 1', `Li${CARET}ne 2`, 'Line 3'], extra: 1 });
  });

  test('blank lines and trailing blanks lie between two marks', () => {
    const screen = [` > ${S}one  ${E}`, `   ${S}${E}`, `   ${S}   ${E}${S}${E}`];
    expect(read(4, ...screen)).toEqual({ lines: ['one  ', '', '   '], extra: 1 });
  });

  test('all pairs behind the end of the line before', () => {
    expect(read(2, ` > ${S}one${E}${S}${E}${S}${E}`)).toEqual({ lines: [], extra: 2 });
  });

  test('not yet, while a pair is missing or something stands behind an end', () => {
    expect(read(2, ` > ${S}one${E}`)).toBeUndefined();
    expect(read(2, ` > ${S}one${E}more`, `   ${S}two${E}`)).toBeUndefined();
    expect(read(1, ` > ${S}one`)).toBeUndefined();
    expect(readPairs(view(` > ${S}one${E}`), marks, marks.pairs[1], 1)).toBeUndefined();
  });

  test('a wrapped line is one line; what its breaks may hide is not known', () => {
    const found = readPairs(view(` > ${S}aaa bbb`, `   ccc${E}`), marks, marks.pairs[0], 1);
    expect(found?.lines.map(isWhole)).toEqual([false]);
    expect(found?.lines.map(({ chars }) => chars.join(''))).toEqual(['aaabbbccc']);
  });
});

describe('lines that wrap', () => {
  test('two looks with different breaks give the blanks', () => {
    const merged = mergeShapes(shapeOf('aaa  \n   bbb ccc'), shapeOf('aaa  bbb\n   ccc'));
    expect(merged && isWhole(merged) && lineText(merged)).toBe('aaa  bbb ccc');
  });

  test('a blank that both looks hide is not guessed', () => {
    const merged = mergeShapes(shapeOf('aaa\n bbb'), shapeOf('aaa\n  bbb'));
    expect(merged && isWhole(merged)).toBe(false);
  });

  test('looks at different texts do not go together', () => {
    expect(mergeShapes(shapeOf('abc'), shapeOf('abd'))).toBeUndefined();
    expect(mergeShapes(shapeOf('a b'), shapeOf('a  b'))).toBeUndefined();
  });

  test('side borders are no text', () => {
    const merged = mergeShapes(shapeOf('aaa │\n│ bbb ccc'), shapeOf('aaa bbb │\n│ ccc'));
    expect(merged && lineText(merged)).toBe('aaa bbb ccc');
  });
});

test("a bar of the text's own at the end of a row is text, one of the box is not", () => {
  const own = [RULE, `> ${S}aaa bbb │`, `  ccc${E} `, RULE];
  const boxed = ['╭─────────────╮', `│ ${S}aaa b │`, `│ ccc${E}   │`, '╰─────────────╯'];
  const parts = (rows: string[]) =>
    readPairs(view(...rows), marks, marks.pairs[0], 1)?.lines[0]?.chars.join('');
  expect(parts(own)).toBe('aaabbb│ccc');
  expect(parts(boxed)).toBe('aaabccc');
});

test('flatten keeps the cell of each character, wide ones too', () => {
  const { text, cells } = flatten(parseStyledRows(['漢x  ', 'y']));
  expect(text).toBe('漢x\ny\n');
  expect(cells[1]).toEqual({ x: 2, y: 0 });
  expect(cells[3]).toEqual({ x: 0, y: 1 });
});

describe('isAccountedFor', () => {
  const before = view(RULE, ' > one two', '   three', RULE);
  test('what was on the screen before', () => {
    expect(isAccountedFor(before, ['one two', '', 'three'], 0, 'all')).toBe(true);
  });
  test('a key that somebody pressed meanwhile', () => {
    expect(isAccountedFor(before, ['one Xtwo', 'three'], 0, 'all')).toBe(false);
  });
  test('lines that a low box has scrolled out, not the one with the caret', () => {
    expect(isAccountedFor(before, ['zero', 'one two', 'three', 'four'], 2, 'part')).toBe(true);
    expect(isAccountedFor(before, ['zero', 'one two', 'three', 'four'], 3, 'part')).toBe(false);
    expect(isAccountedFor(before, ['one two', 'X', 'three'], 0, 'part')).toBe(false);
  });
});
