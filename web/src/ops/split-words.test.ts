// A command line as words.
import { expect, test } from 'vitest';
import { splitWords } from './split-words.js';

test('blanks part words, quotes and backslashes keep them together', () => {
  expect(splitWords(`  claude --model 'a b' "c \\"d\\"" e\\ f x'y'z  `)).toEqual({
    ok: true,
    words: ['claude', '--model', 'a b', 'c "d"', 'e f', 'xyz'],
  });
  expect([splitWords('  '), splitWords("''")]).toEqual([
    { ok: true, words: [] },
    { ok: true, words: [''] },
  ]);
});

test.each([
  ["sh -c 'make test", "'make test"],
  ["claude it's", "'s"],
  ['say "a \\"', '"a \\"'],
])('%s: the quote that is not closed is named', (line, at) => {
  expect(splitWords(line)).toEqual({
    ok: false,
    problem: expect.stringContaining(`the quote at ${at} is not`),
  });
});

test('a backslash at the end is named', () => {
  expect(splitWords('claude \\')).toEqual({ ok: false, problem: expect.stringContaining('ends with a \\') });
  expect(splitWords("sh 'a' b\\")).toMatchObject({ ok: false });
});
