// Commands of the user: real processes, bounded.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CommandOptions, runCommand } from './run-command.js';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smu-run-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const options = (more: Partial<CommandOptions> = {}): CommandOptions => ({
  env: { PATH: process.env.PATH, WORD: 'w' },
  cwd: folder,
  input: 'in',
  timeoutMs: 20_000,
  most: 100,
  ...more,
});
const sh = (script: string, more: Partial<CommandOptions> = {}) =>
  runCommand(['sh', '-c', script], options(more));

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('it gets its words as they are, its input and its environment, and runs where it is told', async () => {
  const end = await runCommand(
    ['sh', '-c', 'printf "%s|" "$1" "$WORD" "$PWD"; cat', '-', '$(id) ;"'],
    options({ most: 1000 }),
  );
  expect(end).toMatchObject({ kind: 'exited', code: 0, stdout: `$(id) ;"|w|${fs.realpathSync(folder)}|in` });
});

test('how it ended', async () => {
  expect(await sh('echo out; echo err >&2; exit 3')).toEqual({
    kind: 'exited',
    code: 3,
    stdout: 'out\n',
    stderr: 'err\n',
  });
  expect(await sh('kill -9 $$')).toMatchObject({ kind: 'signalled', signal: 'SIGKILL' });
  expect(await runCommand([path.join(folder, 'none')], options())).toEqual({
    kind: 'not_started',
    reason: 'ENOENT',
  });
});

test('of what it prints only so much is kept, and one that reads nothing does no harm', async () => {
  const end = await sh(
    'head -c 1000000 /dev/zero | tr "\\0" a; head -c 300000 /dev/zero | tr "\\0" b >&2; echo end >&2',
    {
      input: 'x'.repeat(1_000_000),
    },
  );
  expect(end).toEqual({ kind: 'exited', code: 0, stdout: 'a'.repeat(100), stderr: `${'b'.repeat(96)}end\n` });
});

test('one that takes too long is ended with all that it started', async () => {
  const file = path.join(folder, 'pids');
  const end = await sh(`sleep 600 & echo $! $$ >${file}.new; mv ${file}.new ${file}; echo busy >&2; wait`, {
    timeoutMs: 1500,
  });
  expect(end).toEqual({ kind: 'timeout', stderr: 'busy\n' });
  const pids = fs.readFileSync(file, 'utf8').split(/\s+/).filter(Boolean).map(Number);
  expect(pids).toHaveLength(2);
  await expect.poll(() => pids.filter(isAlive), { timeout: 10_000 }).toEqual([]);
});

test('one that ended and left something behind has ended all the same', async () => {
  const file = path.join(folder, 'pid');
  const end = await sh(`sleep 600 & echo $! >${file}; echo done`, { timeoutMs: 1500 });
  expect(end).toMatchObject({ kind: 'exited', code: 0, stdout: 'done\n' });
  await expect.poll(() => isAlive(Number(fs.readFileSync(file, 'utf8'))), { timeout: 10_000 }).toBe(false);
});

test('one that is left goes on alone', async () => {
  const [file, ended] = [path.join(folder, 'left'), new AbortController()];
  execFileSync('mkfifo', [`${file}.go`]);
  const running = sh(`echo >${file}.begun; cat ${file}.go >/dev/null; echo >${file}`, {
    ended: ended.signal,
  });
  await expect.poll(() => fs.existsSync(`${file}.begun`)).toBe(true);
  ended.abort();
  expect(await running).toEqual({ kind: 'left' });
  fs.writeFileSync(`${file}.go`, '');
  await expect.poll(() => fs.existsSync(file)).toBe(true);
});

test('one that is not wanted any more is ended', async () => {
  const [file, ended] = [path.join(folder, 'pid'), new AbortController()];
  const running = sh(`echo $$ >${file}.new; mv ${file}.new ${file}; exec sleep 600`, {
    ended: ended.signal,
    atEnd: 'end',
  });
  await expect.poll(() => fs.existsSync(file)).toBe(true);
  ended.abort();
  expect(await running).toEqual({ kind: 'left' });
  await expect.poll(() => isAlive(Number(fs.readFileSync(file, 'utf8'))), { timeout: 10_000 }).toBe(false);
});
