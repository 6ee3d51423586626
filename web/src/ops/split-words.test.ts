// A command line as words.
import { expect, test } from 'vitest';
import { splitWords } from './split-words.js';

test('blanks part words, quotes and backslashes keep them together', () => {
  expect(splitWords(`  claude --model 'a b' "c \\"d\\"" e\\ f x'y'z  `)).toEqual([
    'claude',
    '--model',
    'a b',
    'c "d"',
    'e f',
    'xyz',
  ]);
  expect([splitWords(''), splitWords("''")]).toEqual([[], ['']]);
});
