// The table of how far the files were read in which agents leave signals.
import type { Statement } from 'better-sqlite3';
import type { Store } from './store.js';
import type { Step } from './writer.js';

export interface SignalFileRow {
  session: string;
  // Which file it was, by its number on the disk.
  file: string;
  // In bytes: the end of the last whole line that was read.
  position: number;
  read_at: number;
}

export const putSignalFile = ({ session, file, position, read_at }: SignalFileRow): Step => ({
  sql: `INSERT INTO signal_files (session, file, position, read_at) VALUES (?, ?, ?, ?)
        ON CONFLICT (session) DO UPDATE SET file = excluded.file, position = excluded.position, read_at = excluded.read_at`,
  values: [session, file, position, read_at],
});

export const dropSignalFile = (session: string): Step => ({
  sql: 'DELETE FROM signal_files WHERE session = ?',
  values: [session],
});

export class SignalFileTable {
  readonly #get: Statement;

  constructor({ read }: Store) {
    this.#get = read.prepare('SELECT * FROM signal_files WHERE session = ?');
  }

  get(session: string): SignalFileRow | undefined {
    return this.#get.get(session) as SignalFileRow | undefined;
  }
}
