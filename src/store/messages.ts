// What is asked of the tables of messages and of what happened to them.
import type { Statement } from 'better-sqlite3';
import type { EventRow, MessageRow, Mode } from './message-row.js';
import type { Store } from './store.js';

const WAITING = "('pending', 'attempting')";
// Where the planner would rather read all that a recipient ever got, the index is named.
const from = (index = ''): string =>
  `SELECT m.*, s.name AS recipient_name FROM messages m ${index && `INDEXED BY ${index}`} JOIN sessions s ON s.id = m.recipient`;
const SELECT = from();

export class Messages {
  readonly #byId: Statement;
  readonly #byPrefix: Statement;
  readonly #attempting: Statement;
  readonly #next: Statement;
  readonly #attemptingId: Statement;
  readonly #nextId: Statement;
  readonly #accepted: Statement;
  readonly #inTurn: Statement;
  readonly #waiting: Statement;
  readonly #recent: Statement;
  readonly #recentOf: Statement;
  readonly #events: Statement;
  readonly #counts: Statement;
  readonly #position: Statement;
  readonly #batch: Statement;
  readonly #ahead: Statement;
  readonly #riders: Statement;
  readonly #expired: Statement;
  readonly #nextExpiry: Statement;
  readonly #dead: Statement;
  readonly #thread: Statement;
  readonly #waitingCount: Statement;
  readonly #shownLast: Statement;
  readonly #takenLast: Statement;
  readonly #lately: Statement;
  readonly #page: Statement;

  constructor({ read }: Store) {
    this.#byId = read.prepare(`${SELECT} WHERE m.id = ?`);
    this.#byPrefix = read.prepare(`${SELECT} WHERE m.id >= ? AND m.id < ? LIMIT 2`);
    const attempting = "m.recipient = ? AND m.state = 'attempting' AND m.lead IS NULL LIMIT 1";
    const first = `m.recipient = ? AND m.state IN ${WAITING} ORDER BY m.rank, m.seq LIMIT 1`;
    const id = (index: string): string => `SELECT m.id FROM messages m INDEXED BY ${index}`;
    this.#attempting = read.prepare(`${from('messages_attempting')} WHERE ${attempting}`);
    this.#next = read.prepare(`${from('messages_waiting')} WHERE ${first}`);
    this.#attemptingId = read.prepare(`${id('messages_attempting')} WHERE ${attempting}`).pluck();
    this.#nextId = read.prepare(`${id('messages_waiting')} WHERE ${first}`).pluck();
    this.#accepted = read.prepare(
      `${from('messages_accepted')} WHERE m.recipient = ? AND m.state = 'accepted' ORDER BY m.seq`,
    );
    this.#inTurn = read.prepare(
      `${from('messages_open_turn')} WHERE m.recipient = ? AND m.receipt = 'received' ORDER BY m.seq`,
    );
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
    // A new one is near the end: those behind it are fewer than those before it.
    const count = `SELECT COUNT(*) FROM messages INDEXED BY messages_waiting WHERE recipient = @recipient AND state IN ${WAITING}`;
    this.#position = read.prepare(
      `SELECT (${count}) - (${count} AND rank = @rank AND seq > @seq) - (${count} AND rank > @rank) AS position`,
    );
    this.#batch = read.prepare(
      // In the words of the partial index, or SQLite does not use it.
      `${from('messages_waiting')} WHERE m.recipient = ? AND m.state IN ${WAITING} AND m.state = 'pending' ORDER BY m.rank, m.seq LIMIT ?`,
    );
    this.#ahead = read.prepare(
      `${from('messages_waiting')} WHERE m.recipient = @recipient AND m.state IN ${WAITING} AND m.state = 'pending'
         AND m.mode = @mode AND m.seq < @seq ORDER BY m.rank, m.seq LIMIT @limit`,
    );
    this.#riders = read.prepare(
      `${SELECT} WHERE m.lead = ? AND m.state IN ('attempting', 'accepted') ORDER BY m.rank, m.seq`,
    );
    this.#expired = read.prepare(
      `${SELECT} WHERE m.expires_at <= ? AND m.state IN ('pending', 'attempting', 'accepted') AND m.state <> 'attempting'
       ORDER BY m.expires_at, m.seq`,
    );
    this.#nextExpiry = read.prepare(
      "SELECT MIN(expires_at) AS at FROM messages WHERE expires_at > ? AND state IN ('pending', 'attempting', 'accepted')",
    );
    const concerns = '(@session IS NULL OR m.recipient = @session OR m.sender_session = @session)';
    this.#dead = read.prepare(
      `SELECT * FROM (${from('messages_dead')} WHERE m.state = 'dead' AND ${concerns} ORDER BY m.seq DESC LIMIT @limit)
       ORDER BY seq`,
    );
    this.#thread = read.prepare(
      `${from('messages_thread')} WHERE m.thread = @thread AND ${concerns} AND (@pending = 0 OR m.state IN ${WAITING})
       ORDER BY m.seq LIMIT @limit`,
    );
    this.#waitingCount = read.prepare(
      `SELECT COUNT(*) AS count FROM messages INDEXED BY messages_waiting WHERE recipient = ? AND state IN ${WAITING}`,
    );
    // The one that was over last, among the newest: they may have overtaken each other.
    const last = (receipts: string): string =>
      `SELECT * FROM (${SELECT} WHERE m.recipient = ? AND m.receipt IN (${receipts}) AND m.state = 'settled'
         AND (m.sender_session IS NOT NULL OR m.sender_name <> 'sm') AND (? IS NULL OR m.sender_session = ? OR m.sender_name = ?)
         ORDER BY m.seq DESC LIMIT 50) ORDER BY settled_at DESC, seq DESC LIMIT 1`;
    this.#shownLast = read.prepare(last("'received', 'done'"));
    this.#takenLast = read.prepare(last("'submitted', 'received', 'done'"));
    // Read from the newest on: what is asked for is mostly there.
    this.#page = read.prepare(
      `SELECT * FROM (${SELECT} WHERE m.seq < @before AND ${concerns}
         AND (@text IS NULL OR instr(lower(m.text), @text) > 0 OR instr(lower(m.sender_name), @text) > 0
           OR instr(lower(s.name), @text) > 0)
       ORDER BY m.seq DESC LIMIT @limit) ORDER BY seq`,
    );
    this.#lately = read.prepare(
      `SELECT * FROM (${SELECT} WHERE m.recipient = ? ORDER BY m.seq DESC LIMIT ?) ORDER BY seq`,
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

  // Its id alone: for each of many.
  nextId(recipient: string): string | undefined {
    return (this.#attemptingId.get(recipient) ?? this.#nextId.get(recipient)) as string | undefined;
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

  position({ recipient, rank, seq }: MessageRow): number {
    return (this.#position.get({ recipient, rank, seq }) as { position: number }).position;
  }

  // The first that are to be delivered, in their order.
  pending(recipient: string, limit: number): MessageRow[] {
    return this.#batch.all(recipient, limit) as MessageRow[];
  }

  // Those that would be delivered before it, if it had that mode.
  ahead({ recipient, seq }: MessageRow, mode: Mode, limit: number): MessageRow[] {
    return this.#ahead.all({ recipient, seq, mode, limit }) as MessageRow[];
  }

  // Those that go along in the attempt of another.
  ridersOf(lead: string): MessageRow[] {
    return this.#riders.all(lead) as MessageRow[];
  }

  waitingCount(recipient: string): number {
    return (this.#waitingCount.get(recipient) as { count: number }).count;
  }

  // Those whose time is over, the first one first.
  expired(now: number): MessageRow[] {
    return this.#expired.all(now) as MessageRow[];
  }

  // When the next one's time is over.
  nextExpiry(now: number): number | null {
    return (this.#nextExpiry.get(now) as { at: number | null }).at;
  }

  // The newest, of all sessions or to or from one.
  dead(limit: number, session: string | null = null): MessageRow[] {
    return this.#dead.all({ session, limit }) as MessageRow[];
  }

  // A conversation from its beginning, or what of it concerns one session or still waits.
  inThread(
    thread: string,
    limit: number,
    { session = null, pending = false }: { session?: string | null; pending?: boolean } = {},
  ): MessageRow[] {
    return this.#thread.all({ thread, session, pending: pending ? 1 : 0, limit }) as MessageRow[];
  }

  // The newest that the agent has shown, or that its box let go of: from a session or a person, or from one by id or name.
  last(recipient: string, receipt: 'submitted' | 'received', sender: string | null): MessageRow | undefined {
    const statement = receipt === 'received' ? this.#shownLast : this.#takenLast;
    return statement.get(recipient, sender, sender, sender) as MessageRow | undefined;
  }

  // Those stored before one (undefined: the newest) that have a text in them, or in the name of whom they are from or to.
  page(
    limit: number,
    { before, text, session = null }: { before?: MessageRow; text?: string; session?: string | null },
  ): MessageRow[] {
    return this.#page.all({
      before: before?.seq ?? Number.MAX_SAFE_INTEGER,
      // As SQLite does it: letters of ASCII alone.
      text: text?.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) ?? null,
      session,
      limit,
    }) as MessageRow[];
  }

  // The newest of a recipient, in the order in which they were stored.
  lately(recipient: string, limit: number): MessageRow[] {
    return this.#lately.all(recipient, limit) as MessageRow[];
  }
}
