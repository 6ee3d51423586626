// The table of signals, and of the doors through which each was heard.
import type { Statement } from 'better-sqlite3';
import type { Store } from './store.js';
import type { Step } from './writer.js';

export interface SignalRow {
  ordinal: number;
  session: string;
  seq: number;
  state: string;
  message: string;
  id: string | null;
  door: string;
  print: string;
  at: number;
  heard_at: number;
  confidence: number | null;
}

export type NewSignal = Omit<SignalRow, 'ordinal'>;

export interface SignalQuery {
  session?: string | undefined;
  // Only those with a higher number: of the session where one is given, else of all.
  after?: number | undefined;
  // Only those said then or later.
  since?: number | undefined;
  limit: number;
}

export const insertSignal = (row: NewSignal): Step => ({
  sql: `INSERT INTO signals (session, seq, state, message, id, door, print, at, heard_at, confidence)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  values: [
    row.session,
    row.seq,
    row.state,
    row.message,
    row.id,
    row.door,
    row.print,
    row.at,
    row.heard_at,
    row.confidence,
  ],
});

// One that was heard through that door before keeps its first key.
export const insertSignalDoor = (session: string, seq: number, door: string, key: string | null): Step => ({
  sql: 'INSERT OR IGNORE INTO signal_doors (session, seq, door, key) VALUES (?, ?, ?, ?)',
  values: [session, seq, door, key],
});

// So many of what was said before that moment, but for the last signal of each session that is there; the last step deletes
// what is counted.
export function purgeSignals(before: number, most: number): Step[] {
  const old = `FROM signals WHERE at < ? AND NOT EXISTS
    (SELECT 1 FROM sessions WHERE id = signals.session AND signal_seq = signals.seq AND removed_at IS NULL)
    ORDER BY ordinal LIMIT ?`;
  const values = [before, most];
  return [
    { sql: `DELETE FROM signal_doors WHERE (session, seq) IN (SELECT session, seq ${old})`, values },
    { sql: `DELETE FROM signals WHERE ordinal IN (SELECT ordinal ${old})`, values },
  ];
}

export class SignalTable {
  readonly #last: Statement;
  readonly #byId: Statement;
  readonly #byKey: Statement;
  readonly #alike: Statement;
  readonly #list: Statement;
  readonly #first: Statement;

  constructor({ read }: Store) {
    this.#last = read.prepare('SELECT * FROM signals WHERE session = ? ORDER BY seq DESC LIMIT 1');
    this.#byId = read.prepare('SELECT * FROM signals WHERE session = ? AND id = ?');
    this.#byKey = read.prepare(
      `SELECT signals.* FROM signal_doors JOIN signals USING (session, seq)
       WHERE signal_doors.session = ? AND signal_doors.door = ? AND signal_doors.key = ?`,
    );
    this.#alike = read.prepare(
      `SELECT * FROM signals WHERE session = ? AND print = ? AND at BETWEEN ? AND ? AND id IS NULL
       AND NOT EXISTS (SELECT 1 FROM signal_doors heard
                       WHERE heard.session = signals.session AND heard.seq = signals.seq AND heard.door = ?)
       ORDER BY seq LIMIT 1`,
    );
    const among = `FROM signals WHERE (@session IS NULL OR session = @session)
       AND (@after IS NULL OR iif(@session IS NULL, ordinal, seq) > @after) AND (@since IS NULL OR at >= @since)`;
    this.#list = read.prepare(
      `SELECT * FROM (SELECT * ${among} ORDER BY ordinal DESC LIMIT @limit) ORDER BY ordinal`,
    );
    this.#first = read.prepare(`SELECT * ${among} ORDER BY ordinal LIMIT @limit`);
  }

  last(session: string): SignalRow | undefined {
    return this.#last.get(session) as SignalRow | undefined;
  }

  byId(session: string, id: string): SignalRow | undefined {
    return this.#byId.get(session, id) as SignalRow | undefined;
  }

  byKey(session: string, door: string, key: string): SignalRow | undefined {
    return this.#byKey.get(session, door, key) as SignalRow | undefined;
  }

  // The first one of the same words and without an id, said in that time, that was not heard through that door yet.
  alike(session: string, print: string, from: number, to: number, door: string): SignalRow | undefined {
    return this.#alike.get(session, print, from, to, door) as SignalRow | undefined;
  }

  // Oldest first. The newest of them; with `after` the first of them, so that a reader can go on.
  list({ session, after, since, limit }: SignalQuery): SignalRow[] {
    const values = { session: session ?? null, after: after ?? null, since: since ?? null, limit };
    return (after === undefined ? this.#list : this.#first).all(values) as SignalRow[];
  }
}
