import { describe, expect, test } from 'vitest';
import { splitCommand, withoutOption } from './options.js';

test.each<[string[], string | undefined, string[]]>([
  [['--settings', 'a.json', 'hello'], 'a.json', ['hello']],
  [['--settings=a.json', '-c'], 'a.json', ['-c']],
  [['--settings', 'a', '--settings', 'b'], 'b', []],
  [['--other'], undefined, ['--other']],
  [['--', '--settings', 'a'], undefined, ['--', '--settings', 'a']],
  [['--settings'], undefined, ['--settings']],
])('%j', (args, value, rest) => {
  expect(withoutOption(args, '--settings')).toEqual({ value, rest });
});

describe('the program and its own arguments', () => {
  test.each<[string[], string[] | undefined]>([
    [['claude', '-c'], ['claude']],
    [
      ['/usr/bin/node', '--no-warnings', 'cli.js', '-c'],
      ['/usr/bin/node', '--no-warnings', 'cli.js'],
    ],
    [
      ['env', 'A=b', 'claude', '-c'],
      ['env', 'A=b', 'claude'],
    ],
    [['sh', '-c', 'claude -c'], undefined],
    [['node'], undefined],
  ])('%j', (command, head) => {
    expect(splitCommand(command)?.head).toEqual(head);
  });
});
