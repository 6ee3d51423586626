// What stays in the field when a letter has gone: what was written meanwhile.
import { expect, test } from 'vitest';
import { without } from './kept-text.js';

test('what was sent goes, what was begun meanwhile stays, and what was rewritten is left alone', () => {
  expect(without('hello', 'hello')).toBe('');
  expect(without('hello', 'hello\nand then')).toBe('and then');
  expect(without('hello', 'help me')).toBe('help me');
  expect(without('y', 'yes, and more')).toBe('yes, and more');
  expect(without('hello', '')).toBe('');
});
