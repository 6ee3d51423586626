import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { LaunchContext } from '../door.js';
import { isSession, launchCodex, launchOf, ownServerOption, Starts } from './launch.js';

test('what opens the TUI, and what does not', () => {
  for (const args of [[], ['fix it'], ['-m', 'x'], ['resume', '--last'], ['fork']])
    expect(isSession(args)).toBe(true);
  for (const args of [['exec', 'x'], ['-m', 'x', 'exec'], ['--help'], ['app-server']])
    expect(isSession(args)).toBe(false);
});

test('options with which it does not use the shared server', () => {
  for (const arg of [
    '-c',
    '-cmodel=x',
    '--config=a=b',
    '--no-daemon',
    '-pwork',
    '--search',
    '--remote=unix://',
  ])
    expect(ownServerOption(['-m', 'x', arg])).toBe(arg);
  for (const args of [['-C', '/x'], ['--cd', '/x'], ['--', '-c'], ['--no-alt-screen'], ['--enable', 'x']])
    expect(ownServerOption(args)).toBeUndefined();
});

test('the command line stays as it is; only a record is asked for', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-launch-'));
  const launch = (command: string[], env: Record<string, string> = {}) =>
    launchCodex({ command, env, folder, session: 's' } as unknown as LaunchContext, new Starts());
  const record = path.join(folder, 'tui.jsonl');
  expect(await launch(['codex', '-m', 'x'], { CODEX_HOME: '/h' })).toEqual({
    command: ['codex', '-m', 'x'],
    env: { CODEX_TUI_RECORD_SESSION: '1', CODEX_TUI_SESSION_LOG_PATH: record },
  });
  expect(launchOf(folder, {})).toEqual({ home: '/h', record });
  const own = { CODEX_HOME: '/h', CODEX_TUI_SESSION_LOG_PATH: '/own' };
  expect((await launch(['codex'], own)).env.CODEX_TUI_SESSION_LOG_PATH).toBe('/own');
  expect(launchOf(folder, own)).toEqual({ home: '/h', record: '/own' });
  for (const command of [
    ['codex', 'exec', 'x'],
    ['codex', '-c', 'a=b'],
  ])
    expect(await launch(command)).toEqual({ command, env: {} });
  fs.rmSync(folder, { recursive: true });
  expect(launchOf(folder, {})).toBeUndefined();
});

test('one start waits for the other, in the same home only', async () => {
  const starts = new Starts();
  const seen: string[] = [];
  const begin = (home: string, session: string) => starts.begin(home, session).then(() => seen.push(session));
  const all = [begin('/h', 'a'), begin('/h', 'b'), begin('/h', 'c'), begin('/other', 'd')];
  await Promise.all([all[0], all[3]]);
  expect(seen.sort()).toEqual(['a', 'd']);
  starts.done('c');
  starts.done('a');
  await all[1];
  expect(seen).not.toContain('c');
  starts.done('b');
  await all[2];
  expect(seen).toContain('c');
});
