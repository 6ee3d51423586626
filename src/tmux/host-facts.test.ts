// What a machine tells of itself, by a real sh with what such a machine would have in its PATH.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FarShell } from './far-shell.js';
import { learnHost } from './host-facts.js';

let folder: string;
let ends: (() => void)[];
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smh-'));
  ends = [];
  // Scripts and no links: what a test writes in their place must not go to the machine's own programs.
  for (const name of ['date', 'uname', 'id'])
    program(
      name,
      `exec ${execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()} "$@"`,
    );
});
afterEach(() => {
  for (const end of ends) end();
  fs.rmSync(folder, { recursive: true, force: true });
});

const at = (name: string): string => path.join(folder, name);
const program = (name: string, text: string): void => {
  fs.rmSync(at(name), { force: true });
  fs.writeFileSync(at(name), `#!/bin/sh\n${text}\n`, { mode: 0o700, flag: 'wx' });
};

function learn(clock = Date.now) {
  const env = { PATH: folder, HOME: folder, TMUX_TMPDIR: '/tmp/x' };
  const child = spawn('/bin/sh', [], { env, stdio: 'pipe' });
  ends.push(() => child.kill());
  return learnHost(new FarShell(child, () => {}), { name: 'box', clock });
}

test('its tmux, its folders and its clock', async () => {
  program('tmux', 'echo tmux 3.4');
  expect(await learn()).toEqual({
    tmux: at('tmux'),
    tmuxVersion: 'tmux 3.4',
    system: execFileSync('uname', ['-s'], { encoding: 'utf8' }).trim(),
    home: folder,
    socketFolder: `/tmp/x/tmux-${process.getuid?.()}`,
    skewS: 0,
  });
});

test('one that is not in its PATH is looked for where people put it', async () => {
  fs.mkdirSync(at('.local/bin'), { recursive: true });
  program('.local/bin/tmux', 'echo tmux next-3.5');
  expect(await learn()).toMatchObject({ tmux: at('.local/bin/tmux'), tmuxVersion: 'tmux next-3.5' });
});

test('a clock that is far off is told, one that is a second off is not', async () => {
  program('tmux', 'echo tmux 3.3a');
  expect((await learn(() => Date.now() - 3_600_000)).skewS).toBeGreaterThan(3590);
  expect((await learn(() => Date.now() + 900)).skewS).toBe(0);
});

test.each([
  ['3.2a', 'old_tmux', /is tmux 3.2a: tmux 3.3 or newer is needed/],
  ['nonsense', 'old_tmux', /3.3 or newer/],
])('tmux %s is too old', async (version, problem, message) => {
  program('tmux', `echo tmux ${version}`);
  await expect(learn()).rejects.toMatchObject({ problem, message: expect.stringMatching(message) });
});

test('no tmux, and no shell that could be asked, are told apart', async () => {
  // Where this machine has one at a usual place, it is found there.
  const usual = ['/opt/homebrew/bin', '/usr/local/bin', '/opt/local/bin', '/home/linuxbrew/.linuxbrew/bin'];
  if (!usual.some((place) => fs.existsSync(path.join(place, 'tmux'))))
    await expect(learn()).rejects.toMatchObject({ problem: 'no_tmux', message: /there is no tmux on box/ });
  program('uname', 'exit 1');
  program('date', 'echo today');
  await expect(learn()).rejects.toMatchObject({ problem: 'no_shell' });
});
