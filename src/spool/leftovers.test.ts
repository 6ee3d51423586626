// What hooks that were killed left: taken where only its end is missing, else removed with a word in the log.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type HookEntry, Spool } from './index.js';

const HEAD = 'claude Stop abc /tmp/tmux 42 %7\n';

let folder: string;
let taken: HookEntry[];
let said: Record<string, unknown>[];
let spool: Spool;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smu-leftovers-'));
  taken = [];
  said = [];
  spool = new Spool({
    folder,
    take: async (entry) => {
      taken.push(entry);
      return 'taken';
    },
    log: (message, details) => said.push({ message, ...details }),
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  spool.dispose();
  fs.rmSync(folder, { recursive: true, force: true });
});

const left = (): string[] => fs.readdirSync(folder).filter((name) => name !== 'aside');

function leave(name: string, text: string, { ageSeconds }: { ageSeconds: number }): void {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text);
  const then = Date.now() / 1000 - ageSeconds;
  fs.utimesSync(file, then, then);
}

test('one that lacks only its end is taken once it is old, in its place and with its time', async () => {
  leave('1-Stop', `${HEAD}{"n":1}`, { ageSeconds: 3600 });
  leave('2-Stop', `${HEAD}{"n":2}\n.\n`, { ageSeconds: 1800 });
  leave('3-Stop', `${HEAD}{"n":3}`, { ageSeconds: 60 });
  await spool.start();
  expect(taken.map(({ body }) => body.n)).toEqual([1, 2]);
  expect(taken[0]?.at).toBeLessThan(Date.now() - 3_500_000);
  expect(left()).toEqual(['3-Stop']);
  expect(said).toEqual([]);
});

test.each([
  ['no line', 'claude'],
  ['no body', HEAD],
  ['a cut body', `${HEAD}{"n":`],
])('one that was written half (%s) goes once it is old, and the log says so', async (_, text) => {
  leave('1-Stop', text, { ageSeconds: 3600 });
  leave('2-Stop', text, { ageSeconds: 60 });
  await spool.start();
  expect(left()).toEqual(['2-Stop']);
  expect(taken).toEqual([]);
  expect(said).toMatchObject([{ name: '1-Stop', message: expect.stringContaining('removed') }]);
});

test('one that cannot be read stops no other, is said once, and is taken when it can be', async () => {
  const open = fs.promises.open;
  const mock = vi.spyOn(fs.promises, 'open').mockImplementation(async (file, ...rest) => {
    const handle = await open(file, ...rest);
    if (String(file).endsWith('1-Stop'))
      vi.spyOn(handle, 'stat').mockRejectedValue(new Error('EIO: i/o error'));
    return handle;
  });
  leave('1-Stop', `${HEAD}{"n":1}\n.\n`, { ageSeconds: 2 });
  leave('2-Stop', `${HEAD}{"n":2}\n.\n`, { ageSeconds: 1 });
  await spool.start();
  await spool.drain();
  expect(taken.map(({ body }) => body.n)).toEqual([2]);
  expect(said).toMatchObject([{ name: '1-Stop', error: 'Error: EIO: i/o error' }]);
  mock.mockRestore();
  await expect.poll(() => taken.map(({ body }) => body.n), { timeout: 5000 }).toEqual([2, 1]);
});
