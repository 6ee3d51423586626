// How OpenCode is started, and how its server is found again from its command line and environment.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { LaunchContext } from '../door.js';
import { addressOf } from './client.js';
import { launchOpencode } from './launch.js';
import { shownAtStart } from './shown.js';
import { EventText } from './stream.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-opencode-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const context = (command: string[], more: Partial<LaunchContext> = {}): LaunchContext => ({
  session: 's',
  command,
  cwd: '/',
  env: {},
  version: null,
  folder,
  home: folder,
  hooksFolder: folder,
  briefing: null,
  freePort: async () => 4711,
  ...more,
});

test('a session gets a port and a password of its own', async () => {
  const { command } = await launchOpencode(context(['opencode', '-m', 'a/b']));
  expect(command).toEqual(['opencode', '--port', '4711', '-m', 'a/b']);
  const address = addressOf(command, {}, folder);
  expect(address).toMatchObject({ host: '127.0.0.1', port: 4711 });
  expect(address?.authorization).toMatch(/^Basic /);
});

test('what the user set up stays: port, address, password', async () => {
  const own = ['opencode', '--port=4096', '--hostname', '0.0.0.0'];
  expect(await launchOpencode(context(own))).toEqual({ command: own, env: {} });
  expect(addressOf(own, {}, folder)).toEqual({
    host: '127.0.0.1',
    port: 4096,
    authorization: undefined,
    isOurs: false,
  });
  const secret = { OPENCODE_SERVER_PASSWORD: 'x' };
  expect((await launchOpencode(context(['opencode'], { env: secret }))).env).toEqual({});
  expect((await launchOpencode(context(['opencode', '--mdns']))).env).toEqual({});
});

test.each([['run', 'hello'], ['--print-logs', 'serve'], ['--model', 'a/b', 'run'], ['--help'], ['--mini']])(
  'no session, nothing is changed: %s %s',
  async (...args) => {
    const command = ['opencode', ...args];
    expect(await launchOpencode(context(command, { briefing: 'b' }))).toEqual({ command, env: {} });
  },
);

test('the briefing joins the instructions that the user gives, and leaves what cannot be read alone', async () => {
  const env = { OPENCODE_CONFIG_CONTENT: '{"theme":"x","instructions":["A.md"]}' };
  const launched = await launchOpencode(context(['opencode'], { env, briefing: 'read your mail' }));
  const config = JSON.parse(launched.env.OPENCODE_CONFIG_CONTENT ?? '') as { instructions: string[] };
  expect(config).toMatchObject({ theme: 'x', instructions: ['A.md', path.join(folder, 'instructions.md')] });
  const odd = { OPENCODE_CONFIG_CONTENT: '// no JSON' };
  const left = await launchOpencode(context(['opencode'], { env: odd, briefing: 'b' }));
  expect(left.env).not.toHaveProperty('OPENCODE_CONFIG_CONTENT');
});

test('the conversation on its screen, as far as the command line tells', () => {
  const shown = (argv: string[], origin: 'started' | 'adopted', facts = {}) =>
    shownAtStart({ program: { pid: 1, argv }, session: { id: '', name: '', cwd: '', origin }, facts });
  expect(shown(['opencode'], 'started')).toEqual({ kind: 'fresh' });
  expect(shown(['opencode'], 'adopted')).toEqual({ kind: 'unknown' });
  expect(shown(['opencode', '-c'], 'started')).toEqual({ kind: 'unknown' });
  expect(shown(['opencode', '-s', 'ses_1'], 'adopted')).toEqual({ kind: 'known', id: 'ses_1' });
  expect(shown(['opencode'], 'adopted', { conversation: 'ses_2' })).toEqual({ kind: 'known', id: 'ses_2' });
});

test('events come whole, however the stream is cut', () => {
  const told: string[] = [];
  const text = new EventText((data) => told.push(data));
  for (const piece of ['data: {"a"', ':1}\n', '\ndata: 2\n\n: alive\n\nda', 'ta: 3\n\n']) text.add(piece);
  expect(told).toEqual(['{"a":1}', '2', '3']);
});
