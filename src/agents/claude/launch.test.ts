import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LaunchContext } from '../door.js';
import { launchClaude } from './launch.js';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smu-launch-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const launch = (command: string[], briefing: string | null = 'read your mail', wakes = true) => {
  const context: LaunchContext = {
    session: 's',
    command,
    cwd: folder,
    env: {},
    version: null,
    folder,
    home: '/home/sm',
    hooksFolder: '/home/sm/hooks',
    briefing,
    freePort: async () => 0,
  };
  return launchClaude(context, wakes).command;
};
const settings = () => JSON.parse(fs.readFileSync(path.join(folder, 'settings.json'), 'utf8'));

test('hooks and the briefing go in front of what the user wrote', () => {
  const file = path.join(folder, 'settings.json');
  expect(launch(['claude', '--model', 'x', 'hello'])).toEqual([
    'claude',
    '--settings',
    file,
    '--append-system-prompt',
    'read your mail',
    '--model',
    'x',
    'hello',
  ]);
  expect(Object.keys(settings().hooks)).toContain('UserPromptSubmit');
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
});

test("the user's own settings and system prompt are kept, with ours behind", () => {
  const own = JSON.stringify({
    model: 'x',
    hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say' }] }] },
  });
  const command = launch(['claude', '--settings', own, '--append-system-prompt=be brief']);
  expect(command).toContain('be brief\n\nread your mail');
  expect(settings().model).toBe('x');
  expect(settings().hooks.Stop).toHaveLength(2);
  expect(settings().hooks.Stop[0].hooks[0].command).toBe('say');
});

test('a version that would hang with a waiter gets none', () => {
  launch(['claude'], null, false);
  expect(JSON.stringify(settings())).not.toContain('asyncRewake');
  launch(['claude'], null, true);
  expect(JSON.stringify(settings())).toContain('asyncRewake');
});

test.each([
  [['claude', '-p', 'x']],
  [['claude', 'mcp', 'list']],
  [['claude', '--version']],
  [['sh', '-c', 'claude']],
  [['claude', '--settings', 'missing.json']],
])('is left alone: %j', (command) => {
  expect(launch(command)).toEqual(command);
});
