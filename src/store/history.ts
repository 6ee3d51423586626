// The history, page by page, for whoever wants all of it: each message with all its events, of one moment.
import type { Statement } from 'better-sqlite3';
import type { EventRow } from './message-row.js';
import type { SessionRow } from './sessions.js';
import type { SignalRow } from './signals.js';
import type { Store } from './store.js';

export type StoredMessage = { seq: number; id: string } & Record<string, string | number | null>;

export interface HistoryPage {
  messages: { row: StoredMessage; events: EventRow[] }[];
  // Where the next one begins; null: this was the last.
  next: number | null;
}

// Rows that one page looks at: nobody waits long for the connection.
const PAGE = 500;

export class History {
  readonly #read: Store['read'];
  readonly #sessions: Statement;
  readonly #messages: Statement;
  readonly #events: Statement;
  readonly #last: Statement;
  readonly #signals: Statement;

  constructor({ read }: Store) {
    this.#read = read;
    this.#sessions = read.prepare('SELECT * FROM sessions ORDER BY created_at, id');
    this.#messages = read.prepare(
      'SELECT * FROM messages WHERE seq > ? AND seq <= ? AND created_at >= ? ORDER BY seq',
    );
    this.#events = read.prepare('SELECT * FROM message_events WHERE message_id = ? ORDER BY seq');
    this.#signals = read.prepare(
      'SELECT * FROM signals WHERE ordinal > ? AND at >= ? ORDER BY ordinal LIMIT ?',
    );
    this.#last = read.prepare('SELECT COALESCE(MAX(seq), 0) FROM messages').pluck();
  }

  // Also those that were removed.
  sessions(): SessionRow[] {
    return this.#sessions.all() as SessionRow[];
  }

  // The newest message that there is now.
  last(): number {
    return this.#last.get() as number;
  }

  // Those after `after`, up to `last`, that were sent at that moment or later.
  page(after: number, last: number, since: number): HistoryPage {
    const end = Math.min(after + PAGE, last);
    const messages = this.#read.transaction(() =>
      (this.#messages.all(after, end, since) as StoredMessage[]).map((row) => ({
        row,
        events: this.#events.all(row.id) as EventRow[],
      })),
    )();
    return { messages, next: end < last ? end : null };
  }

  // Those after `after` that were said at that moment or later.
  signals(after: number, since: number): SignalRow[] {
    return this.#signals.all(after, since, PAGE) as SignalRow[];
  }
}
