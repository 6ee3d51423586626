// The tables of the markers that were seen in each session, and of how far its agent's own record was read for them.
import type { Statement } from 'better-sqlite3';
import type { Store } from './store.js';
import type { Step } from './writer.js';

export interface SignalMarkRow {
  session: string;
  seq: number;
  state: string;
  message: string;
  id: string | null;
  context: string | null;
  at: number;
  entry: string | null;
}

export interface SignalRecordRow {
  session: string;
  file: string;
  // In bytes: the end of the last whole line that was read.
  position: number;
}

// `keep`: the oldest of its session beyond so many are forgotten.
export const putSignalMark = (row: SignalMarkRow, keep: number): Step[] => [
  {
    sql: `INSERT OR REPLACE INTO signal_marks (session, seq, state, message, id, context, at, entry)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    values: [row.session, row.seq, row.state, row.message, row.id, row.context, row.at, row.entry],
  },
  { sql: 'DELETE FROM signal_marks WHERE session = ? AND seq <= ?', values: [row.session, row.seq - keep] },
];

// More is known of one that is remembered.
export const updateSignalMark = ({
  session,
  seq,
  context,
  entry,
}: Pick<SignalMarkRow, 'session' | 'seq' | 'context' | 'entry'>): Step => ({
  sql: 'UPDATE signal_marks SET context = ?, entry = ? WHERE session = ? AND seq = ?',
  values: [context, entry, session, seq],
});

export const putSignalRecord = ({ session, file, position }: SignalRecordRow): Step => ({
  sql: `INSERT INTO signal_records (session, file, position) VALUES (?, ?, ?)
        ON CONFLICT (session) DO UPDATE SET file = excluded.file, position = excluded.position`,
  values: [session, file, position],
});

export const dropSignalMarks = (session: string): Step[] => [
  { sql: 'DELETE FROM signal_marks WHERE session = ?', values: [session] },
  { sql: 'DELETE FROM signal_records WHERE session = ?', values: [session] },
];

export class SignalMarkTable {
  readonly #of: Statement;
  readonly #record: Statement;

  constructor({ read }: Store) {
    this.#of = read.prepare('SELECT * FROM signal_marks WHERE session = ? ORDER BY seq');
    this.#record = read.prepare('SELECT * FROM signal_records WHERE session = ?');
  }

  // Oldest first.
  of(session: string): SignalMarkRow[] {
    return this.#of.all(session) as SignalMarkRow[];
  }

  record(session: string): SignalRecordRow | undefined {
    return this.#record.get(session) as SignalRecordRow | undefined;
  }
}
