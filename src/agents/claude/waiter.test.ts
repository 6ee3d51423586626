import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hookCommand } from '../hook-command.js';
import { Inbox } from './inbox.js';

const WAITER = fileURLToPath(new URL('./waiter.sh', import.meta.url));
const JSON_OF_HOOK = '{"session_id":"c1"}';

let home: string;
let inbox: Inbox;
let started: ChildProcess[];
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'smu-waiter-'));
  inbox = new Inbox(path.join(home, 'doors', 'at', '42-7'));
  inbox.prepare();
  started = [];
});
afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  // An orphan that a failed test left ends.
  inbox.ringAll();
  fs.rmSync(home, { recursive: true, force: true });
});

const env = () => ({
  PATH: process.env.PATH ?? '',
  // Where no shell finds settings of somebody's.
  HOME: home,
  TMUX: '/tmp/tmux,42,0',
  TMUX_PANE: '%7',
  W: WAITER,
  H: home,
  J: JSON_OF_HOOK,
});

interface Waiter {
  pid: number;
  ended: Promise<{ code: number | null; told: string }>;
}

// A child of ours, as if we were the agent.
function wait(shell = 'sh'): Waiter {
  const command = hookCommand(WAITER, home, 'always');
  const child = spawn(shell, ['-c', command], { env: env(), stdio: ['pipe', 'ignore', 'pipe'] });
  started.push(child);
  let told = '';
  child.stderr.on('data', (data) => {
    told += data;
  });
  child.stdin.end(`${JSON_OF_HOOK}\n`);
  return {
    pid: child.pid as number,
    ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, told }))),
  };
}

const lock = (): string | undefined => {
  try {
    return fs.readlinkSync(path.join(inbox.folder, 'waiter.c1'));
  } catch {
    return undefined;
  }
};
const rung = (name: string): Promise<void> => expect.poll(() => inbox.ring('c1', name)).toBe(true);
// Whoever takes in orphans here may let them lie for a while.
function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

// Its agent is a shell that has ended: what a kill -9 leaves. It lives until the waiter listens: a bell that is made and
// not opened yet rings for nobody, and opening it to write waits for whoever reads it.
async function orphan(): Promise<number> {
  const script = [
    'bell=$H/doors/at/42-7/bell.c1',
    'echo "$J" | sh "$W" "$H" always >/dev/null 2>&1 &',
    'while [ ! -p "$bell" ]; do :; done',
    ': >"$bell"',
  ].join('\n');
  execFileSync('sh', ['-c', script], { env: env() });
  return Number.parseInt(lock() ?? '', 10);
}

const isMissing = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status !== 0;

test.for(['sh', 'bash', 'zsh'])(
  'hands over what it is rung for, and says so, in %s',
  async (shell, { skip }) => {
    skip(isMissing(shell), `${shell} is not installed here`);
    const one = wait(shell);
    await rung('');
    inbox.put('m1', 'hello');
    inbox.ring('c1', 'm1');
    expect(await one.ended).toEqual({ code: 2, told: 'hello' });
    expect(inbox.where('m1')).toBe('told');
    expect(lock()).toBeUndefined();
  },
);

test('a second one of the same agent ends at once', async () => {
  const one = wait();
  await rung('');
  expect((await wait().ended).code).toBe(0);
  expect(lock()).toBe(`${one.pid}.${process.pid}`);
});

test.runIf(process.platform === 'linux')(
  'the one of a killed agent is replaced, and takes no message away',
  async () => {
    const old = await orphan();
    expect(inbox.waiter('c1')).toBeUndefined();
    const one = wait();
    await expect.poll(lock).toBe(`${one.pid}.${process.pid}`);
    await expect.poll(() => inbox.waiter('c1')).toBe(one.pid);
    inbox.put('m1', 'hello');
    inbox.ring('c1', 'm1');
    expect(await one.ended).toEqual({ code: 2, told: 'hello' });
    inbox.ringAll();
    await expect.poll(() => isAlive(old)).toBe(false);
  },
);

test.runIf(process.platform === 'linux')('the one of a killed agent ends when the daemon looks', async () => {
  const old = await orphan();
  inbox.ringAll();
  await expect.poll(() => isAlive(old)).toBe(false);
  expect(lock()).toBeUndefined();
});

test('several that find a dead one at once: one of them waits', async () => {
  fs.symlinkSync('99999999.1', path.join(inbox.folder, 'waiter.c1'));
  const all = Array.from({ length: 6 }, wait);
  await expect.poll(() => inbox.waiter('c1')).toBeDefined();
  await rung('');
  inbox.put('m1', 'hello');
  await expect.poll(() => inbox.ring('c1', 'm1') && inbox.where('m1')).not.toBe('put');
  const winner = await Promise.race(
    all.map(async (one) => ((await one.ended).code === 2 ? one : new Promise<Waiter>(() => {}))),
  );
  expect((await winner.ended).told).toBe('hello');
});
