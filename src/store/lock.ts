// One daemon per home: an exclusive SQLite lock, which the system itself lets go of when the holder dies, however it dies.
import fs from 'node:fs';
import Sqlite from 'better-sqlite3';

export interface HomeLock {
  release(): void;
}

// Undefined when another process holds it.
export function lockHome(file: string): HomeLock | undefined {
  fs.closeSync(fs.openSync(file, 'a', 0o600));
  const database = new Sqlite(file, { timeout: 0 });
  try {
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE');
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return undefined;
    throw error;
  }
}
