// The table of timers: what is to be said at a time, whatever happens to the daemon until then.
import type { Statement } from 'better-sqlite3';
import type { Store } from './store.js';
import type { Step } from './writer.js';

export type TimerKind = 'reminder' | 'follow_up';
// `dropped`: there is nobody left to tell.
export type TimerState = 'waiting' | 'done' | 'cancelled' | 'dropped';

export interface TimerRow {
  seq: number;
  id: string;
  kind: TimerKind;
  // The session; null for a person.
  target: string | null;
  // The session that asked for it; null for a person.
  owner: string | null;
  text: string;
  // Of a follow-up: the message that was delivered.
  message_id: string | null;
  due_at: number;
  every_ms: number | null;
  fired: number;
  created_at: number;
  state: TimerState;
}

export type NewTimer = Omit<TimerRow, 'seq' | 'fired' | 'state'>;

// One that is there already stays as it is.
export const insertTimer = (timer: NewTimer): Step => ({
  sql: `INSERT OR IGNORE INTO timers (id, kind, target, owner, text, message_id, due_at, every_ms, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  values: [
    timer.id,
    timer.kind,
    timer.target,
    timer.owner,
    timer.text,
    timer.message_id,
    timer.due_at,
    timer.every_ms,
    timer.created_at,
  ],
});

// Fails the unit (Unmet) where it has fired or was cancelled meanwhile.
export const updateTimer = (
  from: Pick<TimerRow, 'id' | 'fired'>,
  change: { state: TimerState; due_at: number; fired: number },
): Step => ({
  sql: "UPDATE timers SET state = ?, due_at = ?, fired = ? WHERE id = ? AND fired = ? AND state = 'waiting'",
  values: [change.state, change.due_at, change.fired, from.id, from.fired],
  expect: 1,
});

export const purgeTimers = (before: number): Step => ({
  sql: "DELETE FROM timers WHERE state <> 'waiting' AND due_at < ?",
  values: [before],
});

export class Timers {
  readonly #get: Statement;
  readonly #byPrefix: Statement;
  readonly #due: Statement;
  readonly #next: Statement;
  readonly #tooFarOff: Statement;
  readonly #waiting: Statement;

  constructor({ read }: Store) {
    this.#get = read.prepare('SELECT * FROM timers WHERE id = ?');
    this.#byPrefix = read.prepare('SELECT * FROM timers WHERE id >= ? AND id < ? LIMIT 2');
    this.#due = read.prepare(
      "SELECT * FROM timers WHERE state = 'waiting' AND due_at <= ? ORDER BY due_at, seq LIMIT 100",
    );
    this.#next = read.prepare("SELECT MIN(due_at) AS at FROM timers WHERE state = 'waiting'");
    this.#tooFarOff = read.prepare(
      `SELECT * FROM timers WHERE state = 'waiting' AND every_ms IS NOT NULL AND fired > 0 AND due_at > ? + every_ms
       ORDER BY seq LIMIT 100`,
    );
    this.#waiting = read.prepare(
      "SELECT * FROM timers WHERE state = 'waiting' AND kind = 'reminder' ORDER BY due_at, seq LIMIT ?",
    );
  }

  get(id: string): TimerRow | undefined {
    return this.#get.get(id) as TimerRow | undefined;
  }

  // All that begin with the prefix, two at most: enough to know whether it is clear.
  startingWith(prefix: string): TimerRow[] {
    return this.#byPrefix.all(prefix, `${prefix}\uffff`) as TimerRow[];
  }

  due(now: number): TimerRow[] {
    return this.#due.all(now) as TimerRow[];
  }

  next(): number | null {
    return (this.#next.get() as { at: number | null }).at;
  }

  // Those that come again and have longer to wait than they ever do: their due time is of a clock that was ahead.
  tooFarOff(now: number): TimerRow[] {
    return this.#tooFarOff.all(now) as TimerRow[];
  }

  // Reminders that are still to come.
  reminders(limit: number): TimerRow[] {
    return this.#waiting.all(limit) as TimerRow[];
  }
}
