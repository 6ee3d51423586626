// One daemon per home: an exclusive SQLite lock, which the system itself lets go of when the holder dies, however it dies.
import { openFile } from './open.js';

export interface HomeLock {
  release(): void;
}

// Undefined when another process holds it.
export function lockHome(file: string): HomeLock | undefined {
  const database = openFile(file, { timeout: 0 });
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
