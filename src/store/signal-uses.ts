// The tables of what is done because of signals.
import type { Statement } from 'better-sqlite3';
import type { Store } from './store.js';
import type { Step } from './writer.js';

export type SignalUseState = 'waiting' | 'started' | 'done' | 'failed' | 'dropped' | 'uncertain';

export interface SignalUseRow {
  ordinal: number;
  session: string;
  seq: number;
  // The print of the action.
  action: string;
  state: SignalUseState;
  tries: number;
  due_at: number;
  // Why it failed last, or why nothing was done.
  reason: string | null;
  created_at: number;
  settled_at: number | null;
}

export type SignalUseChange = Pick<SignalUseRow, 'state' | 'tries' | 'due_at' | 'reason' | 'settled_at'>;

// A mail that was written because of a signal, and of which one.
export interface SignalMail {
  message: string;
  recipient: string;
  session: string;
  seq: number;
  action: string;
  at: number;
}

// One that is there already stays as it is.
export const insertSignalUse = (session: string, seq: number, action: string, at: number): Step => ({
  sql: 'INSERT OR IGNORE INTO signal_uses (session, seq, action, due_at, created_at) VALUES (?, ?, ?, ?, ?)',
  values: [session, seq, action, at, at],
});

// Fails the unit (Unmet) where it has moved on meanwhile.
export const updateSignalUse = (
  { ordinal, state, tries }: Pick<SignalUseRow, 'ordinal' | 'state' | 'tries'>,
  to: SignalUseChange,
): Step => ({
  sql: `UPDATE signal_uses SET state = ?, tries = ?, due_at = ?, reason = ?, settled_at = ?
        WHERE ordinal = ? AND state = ? AND tries = ?`,
  values: [to.state, to.tries, to.due_at, to.reason, to.settled_at, ordinal, state, tries],
  expect: 1,
});

// What an earlier daemon began and nobody knows the end of.
export const loseSignalUses = (reason: string, at: number): Step => ({
  sql: "UPDATE signal_uses SET state = 'uncertain', reason = ?, settled_at = ? WHERE state = 'started'",
  values: [reason, at],
});

// Of a message that is written in the same unit, before; of what goes into the inbox nothing is kept.
export const insertSignalMail = (
  message: string,
  { session, seq, action }: Pick<SignalUseRow, 'session' | 'seq' | 'action'>,
): Step => ({
  sql: `INSERT INTO signal_mails (message, recipient, session, seq, action, at)
        SELECT id, recipient, ?, ?, ?, created_at FROM messages WHERE id = ?`,
  values: [session, seq, action, message],
});

// An action that is known already keeps its time; one that is not among them is forgotten.
export const setSignalActions = (prints: readonly string[], now: number): Step[] => [
  {
    sql: `DELETE FROM signal_actions WHERE print NOT IN (SELECT value FROM json_each(?))`,
    values: [JSON.stringify(prints)],
  },
  ...prints.map((print) => ({
    sql: 'INSERT OR IGNORE INTO signal_actions (print, since) VALUES (?, ?)',
    values: [print, now],
  })),
];

// What was over before that moment; the last step deletes what is counted.
export const purgeSignalUses = (before: number): Step[] => [
  { sql: 'DELETE FROM signal_mails WHERE at < ?', values: [before] },
  { sql: 'DELETE FROM signal_uses WHERE settled_at < ?', values: [before] },
];

export class SignalUses {
  readonly #since: Statement;
  readonly #heads: Statement;
  readonly #waiting: Statement;
  readonly #failed: Statement;
  readonly #lastSettled: Statement;
  readonly #lastMail: Statement;
  readonly #mailsTo: Statement;

  constructor({ read }: Store) {
    this.#since = read.prepare('SELECT print, since FROM signal_actions');
    // The columns are those of the row with the lowest ordinal.
    this.#heads = read.prepare(
      `SELECT *, MIN(ordinal) AS ordinal FROM signal_uses WHERE state IN ('waiting', 'started') AND state = 'waiting'
       GROUP BY action`,
    );
    this.#waiting = read.prepare(
      `SELECT COUNT(*) AS count FROM signal_uses WHERE state IN ('waiting', 'started') AND action = ?`,
    );
    this.#failed = read.prepare(
      `SELECT * FROM signal_uses WHERE settled_at >= ? AND state IN ('failed', 'uncertain') ORDER BY ordinal DESC LIMIT ?`,
    );
    this.#lastSettled = read.prepare(
      `SELECT * FROM signal_uses WHERE action = ? AND settled_at IS NOT NULL AND state <> 'dropped'
       ORDER BY ordinal DESC LIMIT 1`,
    );
    // Mail that a session took most recently, if it was written because of a signal.
    this.#lastMail = read.prepare(
      `SELECT mail.* FROM (SELECT id FROM messages WHERE recipient = ? AND created_at <= ?
         AND state NOT IN ('pending', 'attempting', 'cancelled', 'expired', 'dead') ORDER BY seq DESC LIMIT 1) last
       JOIN signal_mails mail ON mail.message = last.id`,
    );
    this.#mailsTo = read.prepare(
      'SELECT COUNT(*) AS count FROM signal_mails WHERE recipient = ? AND at >= ?',
    );
  }

  actionsSince(): Map<string, number> {
    const rows = this.#since.all() as { print: string; since: number }[];
    return new Map(rows.map(({ print, since }) => [print, since]));
  }

  // The first that waits of each action.
  heads(): SignalUseRow[] {
    return this.#heads.all() as SignalUseRow[];
  }

  waitingFor(action: string): number {
    return (this.#waiting.get(action) as { count: number }).count;
  }

  // What did not come to a good end since then, newest first.
  failedSince(since: number, limit: number): SignalUseRow[] {
    return this.#failed.all(since, limit) as SignalUseRow[];
  }

  lastSettled(action: string): SignalUseRow | undefined {
    return this.#lastSettled.get(action) as SignalUseRow | undefined;
  }

  // The mail that a session took last before that moment, where it was written because of a signal.
  lastMailTo(session: string, before: number): SignalMail | undefined {
    return this.#lastMail.get(session, before) as SignalMail | undefined;
  }

  mailsTo(recipient: string, since: number): number {
    return (this.#mailsTo.get(recipient, since) as { count: number }).count;
  }
}
