import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { mcpRefusal, withMcp } from './mcp.js';
import { GENERIC, type Profile } from './profile.js';
import { PROFILES } from './recognise.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-mcp-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const server = { command: '/h o/bin/sm', args: ['mcp'], env: { SM_SESSION: 'abc', SM_HOME: '/h o' } };
const agent = (name: string): Profile => PROFILES.find((one) => one.name === name) as Profile;
const start = (name: string, command: string[], env: Record<string, string> = {}) => {
  const { mcp } = agent(name);
  if (!mcp) throw new Error(`${name} has none`);
  return withMcp(mcp, server, { command, env, folder });
};
const listed = (): unknown => JSON.parse(fs.readFileSync(path.join(folder, 'mcp.json'), 'utf8'));

test('Claude Code: a file, in one word, so that the prompt behind it is not taken for a second file', () => {
  const { command, env } = start('claude', ['claude', '--model', 'x', 'a prompt']);
  expect(command).toEqual(['claude', `--mcp-config=${folder}/mcp.json`, '--model', 'x', 'a prompt']);
  expect(env).toEqual({});
  expect(listed()).toEqual({ mcpServers: { sm: { type: 'stdio', alwaysLoad: true, ...server } } });
  expect(fs.statSync(path.join(folder, 'mcp.json')).mode & 0o777).toBe(0o600);
});

test('behind an interpreter it goes to the agent, not to the interpreter', () => {
  expect(start('claude', ['node', '/x/cli.js', '-c']).command).toEqual([
    'node',
    '/x/cli.js',
    `--mcp-config=${folder}/mcp.json`,
    '-c',
  ]);
});

test('Codex: one setting for this run, as TOML', () => {
  expect(start('codex', ['codex', '--model', 'o3']).command).toEqual([
    'codex',
    '-c',
    'mcp_servers.sm={ command = "/h o/bin/sm", args = ["mcp"], env = { SM_SESSION = "abc", SM_HOME = "/h o" } }',
    '--model',
    'o3',
  ]);
});

test('OpenCode: beside the settings that the user has in the variable', () => {
  const own = { model: 'x', mcp: { other: { type: 'remote', url: 'http://x' } } };
  const { command, env } = start('opencode', ['opencode'], { OPENCODE_CONFIG_CONTENT: JSON.stringify(own) });
  expect(command).toEqual(['opencode']);
  expect(JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? '')).toEqual({
    model: 'x',
    mcp: {
      other: own.mcp.other,
      sm: { type: 'local', command: ['/h o/bin/sm', 'mcp'], environment: server.env, enabled: true },
    },
  });
});

test('settings of the user that cannot be read stay as they are', () => {
  expect(start('opencode', ['opencode'], { OPENCODE_CONFIG_CONTENT: '{' }).env).toEqual({});
});

test('Copilot: a file with an @ before it, all tools on', () => {
  expect(start('copilot', ['copilot']).command).toEqual([
    'copilot',
    `--additional-mcp-config=@${folder}/mcp.json`,
  ]);
  expect(listed()).toMatchObject({ mcpServers: { sm: { type: 'local', tools: ['*'] } } });
});

test('Qwen Code takes one list of servers: its user’s own is not thrown away', () => {
  const qwen = agent('qwen');
  expect(mcpRefusal(qwen, ['qwen', '--model', 'x'])).toBeUndefined();
  for (const words of [['--mcp-config', 'mine.json'], ['--mcp-config=mine.json']])
    expect(mcpRefusal(qwen, ['qwen', ...words])).toContain('put "sm mcp" among them');
  expect(mcpRefusal(agent('claude'), ['claude', '--mcp-config', 'mine.json'])).toBeUndefined();
});

test.each([
  ['gemini', 'gemini mcp add'],
  ['pi', 'has no MCP'],
])('%s is refused with what to do instead', (name, words) => {
  expect(mcpRefusal(agent(name), [name])).toContain(words);
});

test('a program without a profile is refused, and so is a line that a shell reads', () => {
  expect(mcpRefusal(GENERIC, ['x'])).toContain('not known how');
  expect(mcpRefusal(agent('claude'), ['bash', '-lc', 'claude'])).toContain('a shell reads');
});

test('every agent with a door says how, or why not', () => {
  for (const { name, mcp } of PROFILES.filter(({ door }) => door))
    expect([name, mcp !== undefined]).toEqual([name, true]);
});
