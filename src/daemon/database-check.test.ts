import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DatabaseCheck, identify, tryDatabase } from './database-check.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smb-'));
  file = path.join(folder, 'suremail.db');
  fs.writeFileSync(file, 'x');
});
afterEach(() => {
  fs.chmodSync(folder, 0o700);
  fs.rmSync(folder, { recursive: true, force: true });
});
const check = (more: Partial<DatabaseCheck> = {}) =>
  tryDatabase({ file, opened: identify(file), write: async () => {}, freeBytes: () => 1e9, ...more });
const fails = (words: string) => ({ file, state: 'fails', detail: expect.stringContaining(words) });

test('one that can be written', async () => {
  expect(await check()).toEqual({ file, state: 'works', detail: 'can be written' });
});

test('the disk that it is on has room', async () => {
  expect(await check({ freeBytes: undefined })).toMatchObject({ file, state: 'works' });
});

test('a write that fails is told in the words of whoever failed', async () => {
  const write = async () => {
    throw new Error('attempt to write a readonly database');
  };
  expect(await check({ write })).toMatchObject(fails('attempt to write a readonly database'));
});

test('a disk that is full, also if this one write would still succeed', async () => {
  expect(await check({ freeBytes: () => 5000 })).toMatchObject(fails('4 KiB are left'));
});

test('a file that was deleted, or put in its place', async () => {
  const opened = identify(file);
  const other = path.join(folder, 'other');
  fs.writeFileSync(other, 'y');
  fs.renameSync(other, file);
  expect(await check({ opened })).toMatchObject(fails('moved or deleted'));
  fs.rmSync(file);
  expect(await check({ opened })).toMatchObject(fails('moved or deleted'));
});

// Nothing is forbidden to root.
test.skipIf(process.getuid?.() === 0)('a file or a folder that may not be written', async () => {
  fs.chmodSync(file, 0o400);
  expect(await check()).toMatchObject(fails(`${file} may not be written`));
  fs.chmodSync(file, 0o600);
  fs.chmodSync(folder, 0o500);
  expect(await check()).toMatchObject(fails(`${folder} may not be written`));
});
