import { expect, test } from 'vitest';
import { Profiles } from '../agents/index.js';
import { judge, type Program } from './judge.js';
import type { ProcessInfo } from './process.js';

const process = (pid: number, started: string, ...argv: string[]): ProcessInfo => ({
  pid,
  parent: 1,
  group: pid,
  foreground: pid,
  started,
  argv,
});
const agent: Program = { pid: 10, started: '100', argv: ['node', '/x/agent.js', '--a'] };
const claude: Program = { pid: 10, started: '100', argv: ['claude'] };
const shell: Program = { pid: 10, started: '100', argv: ['bash'] };
const ALIVE = true;
const ENDED = false;

test.each<[string, Program | null, ProcessInfo | undefined, boolean, object]>([
  ['the very process is the same', agent, process(10, '100', 'node', '/x/agent.js'), ALIVE, { kind: 'same' }],
  [
    'a process that renamed itself is the same',
    agent,
    process(10, '100', 'my title'),
    ALIVE,
    { kind: 'same' },
  ],
  [
    'a pid that was used again is not',
    agent,
    process(10, '999', 'vim'),
    ENDED,
    { kind: 'ended', reason: 'its program has ended; vim has the pane now' },
  ],
  [
    'the same program started again is a replacement, whatever its options',
    agent,
    process(11, '200', 'node', '/y/agent.js', '--b'),
    ENDED,
    { kind: 'replaced', program: { pid: 11, started: '200', argv: ['node', '/y/agent.js', '--b'] } },
  ],
  [
    'another script of the same interpreter is not',
    agent,
    process(11, '200', 'node', '/x/server.js'),
    ENDED,
    { kind: 'ended' },
  ],
  [
    'the same agent installed elsewhere is a replacement',
    claude,
    process(11, '200', 'node', '/lib/node_modules/@anthropic-ai/claude-code/cli.js'),
    ENDED,
    { kind: 'replaced' },
  ],
  ['another agent is not', claude, process(11, '200', 'codex'), ENDED, { kind: 'ended' }],
  [
    'the shell that an agent leaves behind is not',
    claude,
    process(9, '50', '-bash'),
    ENDED,
    { kind: 'ended', reason: 'its program has ended; bash has the pane now' },
  ],
  ['a shell replaces a shell', shell, process(11, '200', 'zsh', '-l'), ENDED, { kind: 'replaced' }],
  ['a script does not replace a shell', shell, process(11, '200', 'bash', 'x.sh'), ENDED, { kind: 'ended' }],
  ['an agent does not replace a shell', shell, process(11, '200', 'claude'), ENDED, { kind: 'ended' }],
  [
    'another program in front of one that lives covers it',
    agent,
    process(11, '200', '/usr/bin/vim', 'x'),
    ALIVE,
    { kind: 'covered', by: 'vim' },
  ],
  [
    'also one of the same kind',
    agent,
    process(11, '200', 'node', '/x/agent.js'),
    ALIVE,
    { kind: 'covered', by: 'node' },
  ],
  [
    'nothing in front of one that lives covers it',
    agent,
    undefined,
    ALIVE,
    { kind: 'covered', by: 'nothing' },
  ],
  ['nothing left has ended', agent, undefined, ENDED, { kind: 'ended', reason: 'its program has ended' }],
  [
    'whatever runs is taken where nothing was known',
    null,
    process(5, '1', 'vim'),
    ENDED,
    { kind: 'replaced' },
  ],
])('%s', (_, remembered, foreground, alive, verdict) => {
  expect(judge(remembered, foreground, alive, new Profiles())).toMatchObject(verdict);
});
