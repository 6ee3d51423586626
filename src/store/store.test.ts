// The database: brought up to date, checked after a crash, written in units that are all or nothing.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DiskFull, StoreError, Unmet } from './errors.js';
import { lockHome } from './lock.js';
import { type Migration, migrate, readMigrations } from './migrate.js';
import { metaStep, readMeta, Store, type StoreOptions } from './store.js';
import type { Step } from './writer.js';

const OPTIONS = { writerThread: new URL('../../dist/store/writer-thread.js', import.meta.url) };

let folder: string;
let file: string;
const opened: Store[] = [];
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sms-'));
  file = path.join(folder, 'test.db');
});
afterEach(async () => {
  for (const store of opened.splice(0)) if (store.read.open) await store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

function open(options: StoreOptions = {}): Store {
  const store = Store.open(file, { ...OPTIONS, ...options });
  opened.push(store);
  return store;
}

// As a daemon that was killed leaves it: nothing says that it was closed, the log may not be merged.
async function crash(store: Store): Promise<void> {
  store.read.close();
  await store.writer.close();
}

function failure(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    return error as Error;
  }
  throw new Error('it did not fail');
}

const migration = (version: number, sql: string): Migration => ({
  version,
  name: `000${version}-test.sql`,
  sql,
});

describe('migrations', () => {
  const versionOf = (database: Sqlite.Database): unknown => database.pragma('user_version', { simple: true });

  test('run in order, each once, and the version tells how far', () => {
    const database = new Sqlite(file);
    const first = [migration(1, 'CREATE TABLE a (x); INSERT INTO a VALUES (1)')];
    const both = [...first, migration(2, 'ALTER TABLE a ADD COLUMN y; UPDATE a SET y = x + 1')];
    migrate(database, first);
    expect(versionOf(database)).toBe(1);
    migrate(database, both);
    migrate(database, both);
    expect(versionOf(database)).toBe(2);
    expect(database.prepare('SELECT * FROM a').all()).toEqual([{ x: 1, y: 2 }]);
    database.close();
  });

  test('that fail leave nothing of themselves behind, and name their file', () => {
    const database = new Sqlite(file);
    const good = migration(1, 'CREATE TABLE a (x)');
    const bad = migration(2, 'CREATE TABLE b (x); INSERT INTO a VALUES (1); INSERT INTO nowhere VALUES (1)');
    const error = failure(() => migrate(database, [good, bad]));
    expect(error).toBeInstanceOf(StoreError);
    expect(error.message).toContain('0002-test.sql');
    expect(error.message).toContain(file);
    expect(error.message).toContain('nowhere');
    expect(versionOf(database)).toBe(1);
    expect(database.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['a']);
    expect(database.prepare('SELECT * FROM a').all()).toEqual([]);
    migrate(database, [good, migration(2, 'CREATE TABLE b (x)')]);
    expect(versionOf(database)).toBe(2);
    database.close();
  });

  test('are read from files whose numbers follow one another from 1', () => {
    const migrations = readMigrations();
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, i) => i + 1));
    for (const { name } of migrations) expect(name).toMatch(/^\d{4}-[a-z-]+\.sql$/);
  });

  test('other files in their folder are not read', () => {
    for (const name of ['0002-b.sql', '0001-a.sql', 'notes.md', '0003-c.sql.bak'])
      fs.writeFileSync(path.join(folder, name), `-- ${name}`);
    expect(readMigrations(pathToFileURL(`${folder}/`)).map(({ name }) => name)).toEqual([
      '0001-a.sql',
      '0002-b.sql',
    ]);
  });

  test('a database that a newer version wrote is refused and not touched', async () => {
    await open().close();
    const database = new Sqlite(file);
    database.pragma('user_version = 99');
    database.close();
    const before = fs.readFileSync(file);
    const error = failure(() => open());
    expect(error).toBeInstanceOf(StoreError);
    expect(error.message).toContain('schema 99');
    expect(error.message).toContain('newer Suremail');
    expect(error.message).toContain('SM_HOME');
    expect(fs.readFileSync(file).equals(before)).toBe(true);
  });
});

describe('opening', () => {
  test('a new database needs no check, and is private to its owner', () => {
    const store = open();
    expect(store.recovered).toBe(false);
    for (const name of fs.readdirSync(folder))
      expect([name, fs.statSync(path.join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
  });

  test('after a clean close nothing is checked', async () => {
    await open().close();
    const store = open();
    expect(store.recovered).toBe(false);
    expect(readMeta(store.read, 'closed')).toBe('no');
  });

  test('after an unclean stop it is checked, and what was written is there', async () => {
    const store = open();
    await store.write([metaStep('k', 'v')]);
    await crash(store);
    const again = open();
    expect(again.recovered).toBe(true);
    expect(readMeta(again.read, 'k')).toBe('v');
  });

  describe('a damaged file', () => {
    const PAGE = 4096;
    async function fill(clean: boolean): Promise<void> {
      const store = open();
      for (let i = 0; i < 20; i++) await store.write([metaStep(`k${i}`, 'v'.repeat(2000))]);
      if (clean) await store.close();
      else await crash(store);
      const database = new Sqlite(file);
      database.pragma('wal_checkpoint(TRUNCATE)');
      database.close();
    }
    function spoil(from: number, to = fs.statSync(file).size): void {
      const descriptor = fs.openSync(file, 'r+');
      fs.writeSync(descriptor, Buffer.alloc(to - from, 0xa5), 0, to - from, from);
      fs.closeSync(descriptor);
    }
    function expectAdvice(): void {
      const error = failure(() => open());
      expect(error.message).toContain(file);
      expect(error.message).toMatch(/damaged|cannot be used/);
      // What to do about it.
      expect(error.message).toMatch(/\.recover|move it away/);
      expect(error).toBeInstanceOf(StoreError);
    }

    test('is refused after an unclean stop, with what to do, when its last pages are spoilt', async () => {
      await fill(false);
      spoil(fs.statSync(file).size - 2 * PAGE);
      expectAdvice();
    });

    test('is refused after an unclean stop, with what to do, when all pages but the first are spoilt', async () => {
      await fill(false);
      spoil(PAGE);
      expectAdvice();
    });

    test('is refused after an unclean stop, with what to do, when it is cut off', async () => {
      await fill(false);
      fs.truncateSync(file, 3 * PAGE + 100);
      expectAdvice();
    });

    test('is refused with what to do when it is no database at all', async () => {
      await fill(false);
      spoil(0, 100);
      expectAdvice();
    });

    test('is not looked for after a clean close: the check costs time', async () => {
      await fill(true);
      spoil(fs.statSync(file).size - PAGE);
      expect(open().recovered).toBe(false);
    });
  });
});

describe('units of writes', () => {
  const insert = (key: string): Step => ({
    sql: "INSERT INTO meta (key, value) VALUES (?, 'x')",
    values: [key],
  });
  const touch = (key: string): Step => ({
    sql: "UPDATE meta SET value = 'y' WHERE key = ?",
    values: [key],
    expect: 1,
  });
  const keys = (store: Store): unknown[] =>
    store.read.prepare("SELECT key FROM meta WHERE key <> 'closed' ORDER BY key").pluck().all();

  test('can be read as soon as they are answered, with what each step did', async () => {
    const store = open();
    const results = await store.write([insert('a'), touch('a'), insert('b')]);
    expect(results.map(({ changes }) => changes)).toEqual([1, 1, 1]);
    expect(keys(store)).toEqual(['a', 'b']);
  });

  test('are all or nothing: one whose step did not apply is rolled back, and says which', async () => {
    const store = open();
    const error = await store.write([insert('a'), touch('missing'), insert('b')]).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(Unmet);
    expect((error as Unmet).step).toBe(1);
    expect(keys(store)).toEqual([]);
  });

  test('that fail take no others of their group with them', async () => {
    const store = open();
    const outcomes = await Promise.allSettled([
      store.write([insert('a')]),
      store.write([insert('b'), touch('missing')]),
      store.write([insert('c'), insert('a')]),
      store.write([insert('d'), { sql: 'INSERT INTO nowhere VALUES (1)', values: [] }]),
      store.write([insert('e')]),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(keys(store)).toEqual(['a', 'e']);
  });

  test('for which the disk has no room say so, with the folder, and leave nothing behind', async () => {
    const store = open({ writerThread: new URL('../../test/programs/full-writer.mjs', import.meta.url) });
    const large = { sql: 'INSERT INTO meta (key, value) VALUES (?, ?)', values: ['large', 'x'.repeat(1e6)] };
    const outcomes = await Promise.allSettled([
      store.write([insert('a'), large]),
      store.write([insert('b'), large]),
    ]);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DiskFull) });
    expect(outcomes[0]).toMatchObject({ reason: { message: expect.stringContaining(folder) } });
    expect(keys(store)).toEqual([]);
  });

  test('see what earlier ones wrote, in the order in which they were given', async () => {
    const store = open();
    const many = Array.from({ length: 1200 }, (_, i) => `k${String(i).padStart(4, '0')}`);
    await Promise.all(many.flatMap((key) => [store.write([insert(key)]), store.write([touch(key)])]));
    expect(keys(store)).toEqual(many);
  });

  test('given before closing are written; after it they are refused', async () => {
    const store = open();
    const written = store.write([insert('a')]);
    await store.close();
    await written;
    await expect(store.write([insert('b')])).rejects.toThrow('writer thread has ended');
    expect(keys(open())).toEqual(['a']);
  });
});

describe('the lock of a home', () => {
  const HOLD = `
    import { lockHome } from ${JSON.stringify(new URL('../../dist/store/lock.js', import.meta.url).href)};
    console.log(lockHome(process.argv[1]) ? 'held' : 'taken');
    if (process.argv[2] === 'stay') setInterval(() => {}, 1000);
  `;
  const args = (...more: string[]): string[] => [
    '--input-type=module',
    '-e',
    HOLD,
    path.join(folder, 'lock'),
    ...more,
  ];
  const elsewhere = (): string => execFileSync(process.execPath, args(), { encoding: 'utf8' }).trim();
  async function holder(): Promise<ChildProcess> {
    const child = spawn(process.execPath, args('stay'), { stdio: ['ignore', 'pipe', 'inherit'] });
    const [word] = await new Promise<string[]>((resolve) =>
      child.stdout?.once('data', (chunk: Buffer) => resolve([chunk.toString().trim()])),
    );
    expect(word).toBe('held');
    return child;
  }

  test('has one holder among all processes, until it lets go', () => {
    const lock = lockHome(path.join(folder, 'lock'));
    expect(lock).toBeDefined();
    expect(elsewhere()).toBe('taken');
    expect(lockHome(path.join(folder, 'lock'))).toBeUndefined();
    lock?.release();
    expect(elsewhere()).toBe('held');
  });

  test('is free again when its holder is killed', async () => {
    const child = await holder();
    try {
      expect(lockHome(path.join(folder, 'lock'))).toBeUndefined();
    } finally {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exited;
    }
    const lock = lockHome(path.join(folder, 'lock'));
    expect(lock).toBeDefined();
    lock?.release();
  });

  test('is private to its owner', () => {
    lockHome(path.join(folder, 'lock'))?.release();
    expect(fs.statSync(path.join(folder, 'lock')).mode & 0o777).toBe(0o600);
  });
});

describe('a native module that does not load', () => {
  // As after a change of node: the package is there, but nothing was built for this one.
  function unbuilt(script: string): string {
    const from = new URL('../../', import.meta.url).pathname;
    const modules = path.join(folder, 'node_modules');
    fs.cpSync(path.join(from, 'dist/store'), path.join(folder, 'store'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    fs.mkdirSync(modules);
    for (const name of ['bindings', 'file-uri-to-path'])
      fs.cpSync(path.join(from, 'node_modules', name), path.join(modules, name), { recursive: true });
    for (const part of ['lib', 'package.json'])
      fs.cpSync(
        path.join(from, 'node_modules/better-sqlite3', part),
        path.join(modules, 'better-sqlite3', part),
        {
          recursive: true,
        },
      );
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: folder,
      encoding: 'utf8',
    });
    return stdout;
  }

  test.each([
    ['the database', "import { Store } from './store/store.js'; const open = () => Store.open('./x.db');"],
    // The first thing that a daemon does.
    [
      'the lock of the home',
      "import { lockHome } from './store/lock.js'; const open = () => lockHome('./lock');",
    ],
  ])('%s: the message says how to rebuild it, with which node', (_, script) => {
    const said = unbuilt(`${script} try { open(); } catch (error) { console.log(error.message); }`);
    expect(said).toContain('npm rebuild better-sqlite3');
    expect(said).toContain(process.execPath);
  });
});
