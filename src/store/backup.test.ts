// A backup of a database that is written to meanwhile is whole, of one moment, and private; a failed one leaves nothing.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backupDatabase } from './backup.js';
import { metaStep, Store } from './store.js';

const THREAD = new URL('../../dist/store/backup-thread.js', import.meta.url);
const OPTIONS = { writerThread: new URL('../../dist/store/writer-thread.js', import.meta.url) };

let folder: string;
let file: string;
let target: string;
let store: Store;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smb-'));
  file = path.join(folder, 'test.db');
  target = path.join(folder, 'backup.db');
  store = Store.open(file, OPTIONS);
});
afterEach(async () => {
  await store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

// Two rows that are always written together.
const pair = (n: number) =>
  store.write([metaStep('a', String(n)), metaStep('b', String(n)), metaStep(`k${n}`, 'x'.repeat(3000))]);

test('while it is written to', async () => {
  for (let i = 0; i < 300; i++) void pair(i);
  await pair(300);
  let stop = false;
  const writing = (async () => {
    for (let i = 301; !stop; i++) await pair(i);
  })();
  const made = await backupDatabase(file, target, THREAD);
  stop = true;
  await writing;
  expect(made).toMatchObject({ sessions: 0, messages: 0, bytes: fs.statSync(target).size });
  expect(fs.statSync(target).mode & 0o777).toBe(0o600);
  expect(fs.readdirSync(folder).filter((name) => name.startsWith('backup'))).toEqual(['backup.db']);
  const copy = new Sqlite(target, { readonly: true });
  const value = (key: string) => copy.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(key);
  expect(value('a')).toBe(value('b'));
  expect(Number(value('a'))).toBeGreaterThanOrEqual(300);
  expect(value(`k${value('a')}`)).toHaveLength(3000);
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
  copy.close();
  // It serves as a database.
  const again = Store.open(target, OPTIONS);
  await again.close();
});

test('one that cannot be made leaves nothing behind', async () => {
  const nowhere = path.join(folder, 'none', 'backup.db');
  await expect(backupDatabase(file, nowhere, THREAD)).rejects.toThrow(
    `no backup was made at ${nowhere}: ENOENT`,
  );
  await expect(backupDatabase(path.join(folder, 'no.db'), target, THREAD)).rejects.toThrow(
    'no backup was made',
  );
  expect(fs.readdirSync(folder).filter((name) => name.startsWith('backup'))).toEqual([]);
});

test('a target that exists is replaced only by a good one', async () => {
  fs.writeFileSync(target, 'mine');
  await expect(backupDatabase(path.join(folder, 'no.db'), target, THREAD)).rejects.toThrow();
  expect(fs.readFileSync(target, 'utf8')).toBe('mine');
  await backupDatabase(file, target, THREAD);
  expect(fs.readFileSync(target, 'latin1').startsWith('SQLite format 3')).toBe(true);
});
