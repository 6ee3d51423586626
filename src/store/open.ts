// Opening the database file: private to its owner, write-ahead log, and a native module that may need a rebuild.
import fs from 'node:fs';
import Sqlite, { type Database } from 'better-sqlite3';
import { damaged, isDamage, StoreError } from './errors.js';

const BUSY_TIMEOUT_MS = 5000;
// The module's own 16 MB for each connection would fill up with history that nobody reads; the system caches the file as well.
const CACHE_KB = 2000;

export function openDatabase(file: string, { readonly = false } = {}): Database {
  const database = openFile(file, { readonly, timeout: BUSY_TIMEOUT_MS });
  try {
    if (!readonly) database.pragma('journal_mode = WAL');
    database.pragma('foreign_keys = ON');
    database.pragma(`cache_size = -${CACHE_KB}`);
  } catch (error) {
    database.close();
    throw isDamage(error)
      ? damaged(file, (error as Error).message)
      : new StoreError(`${file} cannot be used as a database: ${(error as Error).message}`);
  }
  return database;
}

// The bare file, made private before SQLite writes to it: its side files get the mode of the main one.
export function openFile(file: string, options: { readonly?: boolean; timeout: number }): Database {
  if (!options.readonly) fs.closeSync(fs.openSync(file, 'a', 0o600));
  try {
    return new Sqlite(file, options);
  } catch (error) {
    throw new StoreError(explain(file, error as Error & { code?: string }));
  }
}

function explain(file: string, error: Error & { code?: string }): string {
  if (error.code === 'ERR_DLOPEN_FAILED' || /bindings file|NODE_MODULE_VERSION/.test(error.message)) {
    return (
      `the native module better-sqlite3 does not load in ${process.execPath} (${process.version}): ` +
      `run "npm rebuild better-sqlite3" with that node, in the folder where Suremail is installed.`
    );
  }
  return `cannot open the database ${file}: ${error.message}`;
}
