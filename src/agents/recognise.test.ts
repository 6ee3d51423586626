import { describe, expect, test } from 'vitest';
import { GENERIC, profile } from './profile.js';
import { baseName, PROFILES, Profiles } from './recognise.js';
import { isInteractiveShell } from './shells.js';

describe('an agent is recognised', () => {
  test.each<[string, string[], string | undefined]>([
    ['by its name', ['claude'], 'claude'],
    ['by its path, whatever its options', ['/usr/local/bin/codex', '--model', 'o3'], 'codex'],
    ['behind node', ['node', '/opt/bin/gemini', '-y'], 'gemini'],
    ['by its package', ['/usr/bin/node', '/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js'], 'claude'],
    ['behind options of node', ['node', '--max-old-space-size=4096', '/x/qwen.js'], 'qwen'],
    ['behind bun', ['bun', '/x/node_modules/opencode-ai/bin/opencode'], 'opencode'],
    ['behind a python with a version', ['/usr/bin/python3.12', '/home/u/.local/bin/aider'], 'aider'],
    ['as a module of python', ['python3', '-m', 'aider'], 'aider'],
    ['behind env with variables', ['env', 'A=1', 'copilot'], 'copilot'],
    ['with a title instead of arguments', ['claude --resume 12'], 'claude'],
    ['not by an argument', ['vim', 'claude'], undefined],
    ['not by an argument of a script', ['node', 'server.js', 'claude'], undefined],
    ['not by a part of its name', ['claude-wrapper'], undefined],
    ['not by a folder of the same name', ['/home/claude/bin/run'], undefined],
    ['not from nothing', [], undefined],
  ])('%s', (_, argv, name) => {
    expect(new Profiles().recognise(argv)?.name).toBe(name);
  });
});

test('every profile is found by its name, and so is the generic one', () => {
  const profiles = new Profiles();
  for (const profile of [...PROFILES, GENERIC]) expect(profiles.find(profile.name)).toBe(profile);
  expect(profiles.find('clade')).toBeUndefined();
  expect(new Set(PROFILES.map(({ name }) => name)).size).toBe(PROFILES.length);
});

test('what a user added comes first, is listed once, and belongs to these profiles alone', () => {
  const mine = profile('claude', 'my own', { programs: ['claude', 'my-claude'] });
  const profiles = new Profiles([mine]);
  expect([profiles.find('claude'), profiles.recognise(['claude'])]).toEqual([mine, mine]);
  expect(profiles.names.filter((name) => name === 'claude')).toHaveLength(1);
  expect(new Profiles().recognise(['my-claude'])).toBeUndefined();
});

test.each([
  ['/usr/bin/zsh', 'zsh'],
  ['-bash', 'bash'],
  ['cli.js', 'cli'],
  ['/x/tool.mjs', 'tool'],
  ['codex.exe', 'codex'],
  ['', ''],
])('the program %j is called %j', (program, name) => expect(baseName(program)).toBe(name));

describe('a shell that waits for commands', () => {
  test.each<[string[]]>([
    [['sh']],
    [['-bash']],
    [['/bin/zsh', '-l']],
    [['bash', '--login']],
    [['bash', '--norc', '-i']],
    [['bash', '--rcfile', '/tmp/rc']],
    [['bash', '-O', 'extglob']],
    [['ksh', '-o', 'vi']],
    [['/usr/bin/fish']],
    [['busybox', 'sh']],
    [['nu', '--config', 'x.nu']],
    [['pwsh', '-NoLogo']],
  ])('%j is one', (argv) => expect(isInteractiveShell(argv)).toBe(true));

  // fish reads these commands first and then waits for more.
  test.each<[string[]]>([[['fish', '-C', 'set -x A 1']], [['fish', '--init-command', 'set -x A 1']]])(
    '%j is one too',
    (argv) => expect(isInteractiveShell(argv)).toBe(true),
  );

  test.each<[string[]]>([
    [['sh', '-c', 'claude']],
    [['bash', '-lc', 'claude']],
    [['bash', '-l', '-c', 'claude']],
    [['bash', '--rcfile', '/tmp/rc', 'script.sh']],
    [['/bin/sh', '/usr/bin/agent']],
    [['claude']],
    [['node', 'bash']],
    [[]],
  ])('%j is none', (argv) => expect(isInteractiveShell(argv)).toBe(false));
});
