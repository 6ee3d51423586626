// Quoting is tested by the shells themselves.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellLine, shellWord } from './shell-words.js';

const HOSTILE = [
  '',
  ' ',
  "'",
  "''",
  '\\',
  "\\'",
  '"',
  '$HOME',
  '$(id)',
  '`id`',
  ';id',
  'a\nb',
  '*',
  '~',
  '-n',
  '#{pane_id}',
  '!',
  '{a,b}',
  'ä€😀',
  'it\'s \\ "here"\t$x',
];
const shells = ['/bin/sh', '/bin/bash', '/bin/dash', '/bin/zsh', '/usr/bin/fish'].filter((shell) =>
  fs.existsSync(shell),
);

const readBack = (shell: string, words: readonly string[]): string[] => {
  const line = `${shellLine(['printf', '%s\\0'])} ${shellLine(words)}`;
  return execFileSync(shell, ['-c', line], { encoding: 'utf8' }).split('\0').slice(0, -1);
};

test('every shell reads hostile words back as they were', () => {
  expect(shells).toContain('/bin/sh');
  for (const shell of shells) expect(readBack(shell, HOSTILE)).toEqual(HOSTILE);
});

test('any words come back as they were', () => {
  const words = fc.array(
    fc.string({ unit: 'binary' }).filter((text) => !/[\0\ud800-\udfff]/.test(text)),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(words, (given) => {
      expect(readBack('/bin/sh', given)).toEqual(given);
    }),
    { numRuns: 100 },
  );
});

test('a NUL byte is refused', () => {
  expect(() => shellWord('a\0b')).toThrow(/NUL/);
});
