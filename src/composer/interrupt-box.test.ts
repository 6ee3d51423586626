// Where a box begins and ends on a screen, and the text in its rows.
import { describe, expect, test } from 'vitest';
import { parseStyledRows } from '../terminal/cells.js';
import type { PaneView } from '../tmux/index.js';
import { boxEnd, boxTop, isUnambiguous, readBox, rowsNeeded, showsAlone } from './interrupt-box.js';
import { type Look, takeLook } from './look.js';

const COLUMNS = 20;
const RULE = '─'.repeat(COLUMNS);

// A screen; ▏ marks the cursor.
function screen(...lines: string[]): PaneView {
  const y = lines.findIndex((line) => line.includes('▏'));
  const [left = ''] = (lines[y] ?? '').split('▏');
  const rows = parseStyledRows(lines.map((line) => line.replace('▏', '').trimEnd()));
  return {
    rows,
    cursor: { x: left.length, y, visible: true },
    size: { columns: COLUMNS, rows: rows.length },
  } as PaneView;
}

const PROMPT: Look = takeLook(screen(RULE, '> ▏', RULE));
const FRAMED: Look = takeLook(
  screen('╭' + '─'.repeat(18) + '╮', '│ > ▏               │', '╰' + '─'.repeat(18) + '╯'),
);
const BARE: Look = takeLook(screen(RULE, '▏', RULE));

describe('the box', () => {
  test.each([
    ['one row', screen('words', RULE, '> draft▏', RULE), PROMPT, 2, 3],
    ['several rows', screen(RULE, '> one', '', '  three▏', '  four', RULE, 'x'), PROMPT, 1, 5],
    ['without lines around it', screen('words', '> one', '  two▏', '  a footer'), PROMPT, 1, 3],
    ['without a prompt, between lines', screen(RULE, 'one', 'two▏', RULE), BARE, 1, 3],
  ])('%s', (_, view, look, top, end) => {
    expect(boxTop(view, look)).toBe(top);
    expect(boxEnd(view, look)).toBe(end);
  });

  test.each([
    ['a dialog below an old prompt', screen('> old', 'Run this?', '  1. Yes▏'), PROMPT],
    ['the cursor in a status row', screen(RULE, '> draft', RULE, 'status▏'), PROMPT],
    ['a box that has scrolled its first row away', screen(RULE, '  two', '  three▏', RULE), PROMPT],
    ['no prompt and no line', screen('one', 'two▏'), takeLook(screen('', '▏', ''))],
  ])('is not there: %s', (_, view, look) => {
    expect(boxTop(view, look)).toBeUndefined();
    expect(readBox(view, look)).toBeUndefined();
  });
});

describe('its text', () => {
  test.each([
    ['a line', screen(RULE, '> draft▏', RULE), 'draft'],
    ['blanks before the caret', screen(RULE, '> draft  ▏', RULE), 'draft  '],
    ['lines', screen(RULE, '> one', '', '    three▏', RULE), 'one\n\n  three'],
    ['an empty line at the caret', screen(RULE, '> one', '  ▏', RULE), 'one\n'],
    [
      'cut in a word at the edge',
      screen(RULE, '> 123456789012345678', '  90▏', RULE),
      '12345678901234567890',
    ],
    ['cut at a blank', screen(RULE, '> 12345678901234567', '  word▏', RULE), '12345678901234567 word'],
    ['cut before a word', screen(RULE, '> 1234567890123', '  words▏', RULE), '1234567890123 words'],
    [
      'cut before a wide character',
      screen(RULE, '> 12345678901234567', '  中▏', RULE),
      '12345678901234567中',
    ],
    ['a short line before another', screen(RULE, '> 12345678', '  words▏', RULE), '12345678\nwords'],
  ])('%s', (_, view, expected) => {
    expect(readBox(view, PROMPT)).toBe(expected);
  });

  test('in a frame', () => {
    const view = screen(
      '╭' + '─'.repeat(18) + '╮',
      '│ > one |          │',
      '│   two▏           │',
      '╰' + '─'.repeat(18) + '╯',
    );
    expect(readBox(view, FRAMED)).toBe('one |\ntwo');
  });

  test('alone, or with something else', () => {
    const view = screen(RULE, '> one two', '  three▏', RULE);
    expect(showsAlone(view, PROMPT, 'one two three')).toBe(true);
    expect(showsAlone(view, PROMPT, 'one two')).toBe(false);
    expect(showsAlone(view, PROMPT, 'one two three four')).toBe(false);
  });
});

test('what is certain from a screen', () => {
  const shape = { look: PROMPT, columns: 40, caret: null };
  expect(isUnambiguous('one two, three!', shape)).toBe(true);
  for (const text of ['', 'a ', ' a', 'a  b', 'a\nb', 'é', 'a\u00a0b', 'x'.repeat(31)])
    expect(isUnambiguous(text, shape)).toBe(false);
});

test('how many rows a text takes', () => {
  expect(rowsNeeded('one\n\nthree', 10)).toBe(3);
  expect(rowsNeeded('x'.repeat(21), 10)).toBe(3);
  expect(rowsNeeded('中'.repeat(10), 10)).toBe(2);
});
