import { describe, expect, test } from 'vitest';
import { charWidth, isDim, parseStyledRows, rowText, splitAt, textWidth } from './cells.js';

const styles = (...lines: string[]): string[][] =>
  parseStyledRows(lines).map((row) => row.map(({ style }) => style));

describe('a captured row', () => {
  test('is its text without the sequences', () => {
    const [row = []] = parseStyledRows(['\x1b[1m> \x1b[0m\x1b[2mtype here\x1b[0m']);
    expect(rowText(row)).toBe('> type here');
  });

  test('drops charset switches and a lone escape', () => {
    const [row = []] = parseStyledRows(['\x1b(B\x0ea\x0fb\x1b']);
    expect(rowText(row)).toBe('ab');
  });

  test('carries its style over to the next row, until a reset', () => {
    expect(styles('\x1b[2ma', 'b', '\x1b[0mc', 'd')).toEqual([['2'], ['2'], [''], ['']]);
  });

  test.each([
    ['the order of attributes', '\x1b[1m\x1b[31ma', '\x1b[31;1ma'],
    ['one sequence or several', '\x1b[3;4;32ma', '\x1b[32m\x1b[4m\x1b[3ma'],
    ['a reset without a number', '\x1b[7m\x1b[ma', 'a'],
    ['what was switched off again', '\x1b[1;3;4;7;9;31;44m\x1b[22;23;24;27;29;39;49ma', 'a'],
    ['a colour that another took the place of', '\x1b[38;5;9m\x1b[35ma', '\x1b[35ma'],
  ])('has the same style whatever %s', (_, one, other) => {
    expect(styles(one)).toEqual(styles('\x1b[0m' + other));
  });

  test('reads palette and true colours as one attribute, not as attributes of their own', () => {
    expect(styles('\x1b[38;5;2ma')).toEqual([['38;5;2']]);
    expect(styles('\x1b[48;2;1;2;3ma')).toEqual([['48;2;1;2;3']]);
    expect(styles('\x1b[38;5;2;1ma')).toEqual([['1;38;5;2']]);
  });

  test.each([
    ['\x1b[2ma', true],
    ['\x1b[1;2ma', true],
    ['\x1b[2;3;38;5;246ma', true],
    ['\x1b[1ma', false],
    ['\x1b[38;5;2ma', false],
    ['\x1b[32ma', false],
    ['\x1b[21ma', false],
    ['\x1b[2m\x1b[22ma', false],
  ])('%j is dim: %s', (line, dim) => {
    expect(isDim(parseStyledRows([line])[0]?.[0]?.style ?? '')).toBe(dim);
  });

  test('does not take an underline of another shape, which tmux writes as 4:2 and 4:3, for dim or italic', () => {
    expect(isDim(styles('\x1b[4:2ma')[0]?.[0] ?? '')).toBe(false);
    expect(styles('\x1b[4:3ma\x1b[24mb')[0]?.[1]).toBe('');
  });
});

describe('widths', () => {
  test.each([
    ['a', 1],
    ['é', 1],
    ['中', 2],
    ['🙂', 2],
    ['\u0301', 0],
    ['\u200d', 0],
    ['\ufe0f', 0],
  ])('%j takes %i columns', (char, width) => expect(charWidth(char)).toBe(width));

  test('what combines joins the cell before it', () => {
    const [row = []] = parseStyledRows(['e\u0301x']);
    expect(row.map(({ text }) => text)).toEqual(['e\u0301', 'x']);
    expect(textWidth('e\u0301中x')).toBe(4);
  });
});

describe('a row split at a column', () => {
  const [row = []] = parseStyledRows(['> 中文!']);
  const parts = (column: number) => {
    const { left, under, right } = splitAt(row, column);
    return [rowText(left), under?.text, rowText(right)];
  };

  test.each([
    [0, '', '>', ' 中文!'],
    [2, '> ', '中', '文!'],
    // The right half of a wide character belongs to it.
    [3, '> ', '中', '文!'],
    [4, '> 中', '文', '!'],
    [6, '> 中文', '!', ''],
    [7, '> 中文!', undefined, ''],
    [50, '> 中文!', undefined, ''],
  ])('%i: what stands left of it, under it and right of it', (column, left, under, right) => {
    expect(parts(column)).toEqual([left, under, right]);
  });
});
