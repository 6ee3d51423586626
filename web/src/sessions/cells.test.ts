// A screen's ANSI text as rows of runs, each with its place and its colours.
import { expect, test } from 'vitest';
import { paletteColour, readCells } from './cells.js';

const brief = (screen: string) =>
  readCells(screen).map((row) => row.map(({ text, column, ink, paper }) => [text, column, ink, paper]));

test('colours of all kinds, kept over the end of a line until they are reset', () => {
  expect(brief('a\x1b[31mred\x1b[48;5;236m on\nmore\x1b[0m x')).toEqual([
    [
      ['a', 0, null, null],
      ['red', 1, 1, null],
      [' on', 4, 1, 236],
    ],
    [
      ['more', 0, 1, 236],
      [' x', 4, null, null],
    ],
  ]);
  expect(brief('\x1b[38;2;255;0;16mx\x1b[92my')).toEqual([
    [
      ['x', 0, '#ff0010', null],
      ['y', 1, 10, null],
    ],
  ]);
});

test('what is no colour leaves no trace: titles, links, charsets, cursor movement', () => {
  expect(brief('\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b\x1b(B\x1b[2Kc')).toEqual([[['abc', 0, null, null]]]);
});

test('wide characters take two columns', () => {
  expect(brief('日本\x1b[1mx')[0]?.[1]).toEqual(['x', 4, null, null]);
});

test('the palette', () => {
  expect([
    paletteColour(1, ['#000', '#f00']),
    paletteColour(16, []),
    paletteColour(231, []),
    paletteColour(255, []),
  ]).toEqual(['#f00', 'rgb(0 0 0)', 'rgb(255 255 255)', 'rgb(238 238 238)']);
});
