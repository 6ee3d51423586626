// The table of mail to a person.
import type { Statement } from 'better-sqlite3';
import type { Mode } from './message-row.js';
import type { Store } from './store.js';
import type { Step } from './writer.js';

export interface InboxRow {
  seq: number;
  id: string;
  sender_session: string | null;
  sender_name: string;
  text: string;
  mode: Mode;
  in_reply_to: string | null;
  thread: string;
  created_at: number;
  read_at: number | null;
}

export type NewInboxRow = Omit<InboxRow, 'seq' | 'read_at'>;

export const insertInbox = (row: NewInboxRow): Step => ({
  sql: `INSERT INTO inbox (id, sender_session, sender_name, text, mode, in_reply_to, thread, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  values: [
    row.id,
    row.sender_session,
    row.sender_name,
    row.text,
    row.mode,
    row.in_reply_to,
    row.thread,
    row.created_at,
  ],
});

export const markRead = (id: string, at: number): Step => ({
  sql: 'UPDATE inbox SET read_at = ? WHERE id = ? AND read_at IS NULL',
  values: [at, id],
});

// What came after that one is not read.
export const markReadUpTo = (seq: number, at: number): Step => ({
  sql: 'UPDATE inbox SET read_at = ? WHERE seq <= ? AND read_at IS NULL',
  values: [at, seq],
});

// What a person has not read is never thrown away.
export const purgeInbox = (before: number): Step => ({
  sql: 'DELETE FROM inbox WHERE read_at IS NOT NULL AND created_at < ?',
  values: [before],
});

export class Inbox {
  readonly #get: Statement;
  readonly #byPrefix: Statement;
  readonly #unread: Statement;
  readonly #recent: Statement;
  readonly #thread: Statement;
  readonly #count: Statement;
  readonly #unreadFrom: Statement;

  constructor({ read }: Store) {
    this.#get = read.prepare('SELECT * FROM inbox WHERE id = ?');
    this.#byPrefix = read.prepare('SELECT * FROM inbox WHERE id >= ? AND id < ? LIMIT 2');
    this.#unread = read.prepare(
      'SELECT * FROM (SELECT * FROM inbox WHERE read_at IS NULL ORDER BY seq DESC LIMIT ?) ORDER BY seq',
    );
    this.#recent = read.prepare('SELECT * FROM (SELECT * FROM inbox ORDER BY seq DESC LIMIT ?) ORDER BY seq');
    this.#thread = read.prepare('SELECT * FROM inbox WHERE thread = ? ORDER BY seq LIMIT ?');
    this.#unreadFrom = read.prepare(
      `SELECT * FROM inbox WHERE read_at IS NULL AND (sender_session = ? OR sender_name = ?) ORDER BY seq DESC LIMIT 1`,
    );
    this.#count = read.prepare('SELECT COUNT(*) AS count FROM inbox WHERE read_at IS NULL');
  }

  get(id: string): InboxRow | undefined {
    return this.#get.get(id) as InboxRow | undefined;
  }

  startingWith(prefix: string): InboxRow[] {
    return this.#byPrefix.all(prefix, `${prefix}\uffff`) as InboxRow[];
  }

  // The newest of them, oldest first.
  unread(limit: number): InboxRow[] {
    return this.#unread.all(limit) as InboxRow[];
  }

  recent(limit: number): InboxRow[] {
    return this.#recent.all(limit) as InboxRow[];
  }

  inThread(thread: string, limit: number): InboxRow[] {
    return this.#thread.all(thread, limit) as InboxRow[];
  }

  // The newest of a sender, by its id or its name.
  unreadFrom(sender: string): InboxRow | undefined {
    return this.#unreadFrom.get(sender, sender) as InboxRow | undefined;
  }

  unreadCount(): number {
    return (this.#count.get() as { count: number }).count;
  }
}
