// The tables of messages and of what happened to them.
import type { Statement } from 'better-sqlite3';
import type { PastDraft } from './drafts.js';
import type { Store } from './store.js';
import type { Step } from './writer.js';

// `accepted`: in the agent's own queue; the agent has not shown it yet.
export type MessagePhase = 'pending' | 'attempting' | 'accepted' | 'settled' | 'cancelled';
export type Mode = 'sequential' | 'important' | 'urgent';
export type Speaks = 'prompt' | 'notice';
export type Surety = 'at_least_once' | 'at_most_once';
export type ReceiptLevel = 'queued' | 'typed' | 'submitted' | 'received' | 'done';

export interface MessageRow {
  seq: number;
  id: string;
  recipient: string;
  recipient_name: string;
  sender_session: string | null;
  sender_name: string;
  text: string;
  command: 0 | 1;
  mode: Mode;
  created_at: number;
  // Null: as its session says.
  past_draft: PastDraft | null;
  // Null: as its sender is a person or an agent.
  speaks: Speaks | null;
  surety: Surety | null;
  turn: string | null;
  state: MessagePhase;
  receipt: ReceiptLevel;
  attempts: number;
  held: string | null;
  settled_at: number | null;
  // Its place in the queue of its recipient, where the query counted it.
  position?: number;
}

export interface EventRow {
  seq: number;
  message_id: string;
  at: number;
  kind: string;
  data: string;
}

export interface NewMessage {
  id: string;
  recipient: string;
  senderSession: string | null;
  senderName: string;
  text: string;
  command: boolean;
  mode: Mode;
  pastDraft: PastDraft | null;
  speaks: Speaks | null;
  surety: Surety | null;
  createdAt: number;
}

// The part of a row that is folded from the events.
export type Folded = Pick<MessageRow, 'state' | 'receipt' | 'attempts' | 'held' | 'settled_at' | 'turn'>;

const WAITING = "('pending', 'attempting')";
// Something may still happen to them.
const OPEN: readonly MessagePhase[] = ['pending', 'attempting', 'accepted'];
const SELECT = 'SELECT m.*, s.name AS recipient_name FROM messages m JOIN sessions s ON s.id = m.recipient';

export const insertMessage = (message: NewMessage): Step => ({
  sql: `INSERT INTO messages (id, recipient, sender_session, sender_name, text, command, mode, past_draft, speaks, surety, created_at, state, receipt)
        SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', 'queued'
        WHERE EXISTS (SELECT 1 FROM sessions WHERE id = ? AND removed_at IS NULL)`,
  values: [
    message.id,
    message.recipient,
    message.senderSession,
    message.senderName,
    message.text,
    message.command ? 1 : 0,
    message.mode,
    message.pastDraft,
    message.speaks,
    message.surety,
    message.createdAt,
    message.recipient,
  ],
  expect: 1,
});

export const insertEvent = (messageId: string, at: number, kind: string, data: string): Step => ({
  sql: 'INSERT INTO message_events (message_id, at, kind, data) VALUES (?, ?, ?, ?)',
  values: [messageId, at, kind, data],
});

// `from` fences: a message that has moved on meanwhile (cancelled, say) is not moved back.
export const updateFolded = (
  messageId: string,
  from: Pick<Folded, 'state' | 'receipt'>,
  folded: Folded,
): Step => ({
  sql: 'UPDATE messages SET state = ?, receipt = ?, attempts = ?, held = ?, settled_at = ?, turn = ? WHERE id = ? AND state = ? AND receipt = ?',
  values: [
    folded.state,
    folded.receipt,
    folded.attempts,
    folded.held,
    folded.settled_at,
    folded.turn,
    messageId,
    from.state,
    from.receipt,
  ],
  expect: 1,
});

export const cancelWaiting = (recipient: string, at: number): Step => ({
  sql: `UPDATE messages SET state = 'cancelled', held = NULL, settled_at = ? WHERE recipient = ? AND (state IN ${WAITING} OR state = 'accepted')`,
  values: [at, recipient],
});

// The oldest that were over before that moment, with all that happened to them; never what still waits.
export function purgeMessages(before: number, limit: number): Step[] {
  const over = `SELECT seq FROM messages WHERE settled_at < ? AND state NOT IN (${OPEN.map((state) => `'${state}'`).join(', ')}) ORDER BY seq LIMIT ?`;
  return [
    {
      sql: `DELETE FROM message_events WHERE message_id IN (SELECT id FROM messages WHERE seq IN (${over}))`,
      values: [before, limit],
    },
    { sql: `DELETE FROM messages WHERE seq IN (${over})`, values: [before, limit] },
  ];
}

export class Messages {
  readonly #byId: Statement;
  readonly #byPrefix: Statement;
  readonly #attempting: Statement;
  readonly #next: Statement;
  readonly #accepted: Statement;
  readonly #inTurn: Statement;
  readonly #waiting: Statement;
  readonly #recent: Statement;
  readonly #recentOf: Statement;
  readonly #events: Statement;
  readonly #counts: Statement;
  readonly #position: Statement;

  constructor({ read }: Store) {
    this.#byId = read.prepare(`${SELECT} WHERE m.id = ?`);
    this.#byPrefix = read.prepare(`${SELECT} WHERE m.id >= ? AND m.id < ? LIMIT 2`);
    this.#attempting = read.prepare(`${SELECT} WHERE m.recipient = ? AND m.state = 'attempting' LIMIT 1`);
    this.#next = read.prepare(
      `${SELECT} WHERE m.recipient = ? AND m.state IN ${WAITING} ORDER BY m.rank, m.seq LIMIT 1`,
    );
    this.#accepted = read.prepare(`${SELECT} WHERE m.recipient = ? AND m.state = 'accepted' ORDER BY m.seq`);
    this.#inTurn = read.prepare(`${SELECT} WHERE m.recipient = ? AND m.receipt = 'received' ORDER BY m.seq`);
    this.#waiting = read.prepare(
      `SELECT m.*, s.name AS recipient_name, ROW_NUMBER() OVER (PARTITION BY m.recipient ORDER BY m.rank, m.seq) AS position
       FROM messages m JOIN sessions s ON s.id = m.recipient
       WHERE (? IS NULL OR m.recipient = ?) AND m.state IN ${WAITING} ORDER BY m.rank, m.seq LIMIT ?`,
    );
    this.#recent = read.prepare(`SELECT * FROM (${SELECT} ORDER BY m.seq DESC LIMIT ?) ORDER BY seq`);
    this.#recentOf = read.prepare(
      `SELECT * FROM (${SELECT} WHERE m.seq IN (
         SELECT seq FROM messages WHERE recipient = ? UNION SELECT seq FROM messages WHERE sender_session = ?
       ) ORDER BY m.seq DESC LIMIT ?) ORDER BY seq`,
    );
    this.#events = read.prepare('SELECT * FROM message_events WHERE message_id = ? ORDER BY seq');
    this.#counts = read.prepare(
      `SELECT recipient, COUNT(*) AS count FROM messages WHERE state IN ${WAITING} GROUP BY recipient`,
    );
    this.#position = read.prepare(
      `SELECT COUNT(*) AS count FROM messages WHERE recipient = ? AND state IN ${WAITING}
       AND (rank, seq) <= (SELECT rank, seq FROM messages WHERE seq = ?)`,
    );
  }

  get(id: string): MessageRow | undefined {
    return this.#byId.get(id) as MessageRow | undefined;
  }

  // All that begin with the prefix, two at most: enough to know whether it is clear.
  startingWith(prefix: string): MessageRow[] {
    return this.#byPrefix.all(prefix, `${prefix}\uffff`) as MessageRow[];
  }

  // The one that is to be delivered next, or is being delivered.
  next(recipient: string): MessageRow | undefined {
    return (this.#attempting.get(recipient) ?? this.#next.get(recipient)) as MessageRow | undefined;
  }

  // Those that the agent has in a queue of its own.
  accepted(recipient: string): MessageRow[] {
    return this.#accepted.all(recipient) as MessageRow[];
  }

  // Those that the agent has shown, and whose turn has not been seen to end.
  inTurn(recipient: string): MessageRow[] {
    return this.#inTurn.all(recipient) as MessageRow[];
  }

  waiting(recipient: string | null, limit: number): MessageRow[] {
    return this.#waiting.all(recipient, recipient, limit) as MessageRow[];
  }

  recent(limit: number, session?: string): MessageRow[] {
    return (session ? this.#recentOf.all(session, session, limit) : this.#recent.all(limit)) as MessageRow[];
  }

  events(id: string): EventRow[] {
    return this.#events.all(id) as EventRow[];
  }

  waitingCounts(): Map<string, number> {
    const rows = this.#counts.all() as { recipient: string; count: number }[];
    return new Map(rows.map(({ recipient, count }) => [recipient, count]));
  }

  position({ recipient, seq }: MessageRow): number {
    return (this.#position.get(recipient, seq) as { count: number }).count;
  }
}
