// The table of drafts: what a person had typed, on disk from before the first key that could harm it.
import type { Statement } from 'better-sqlite3';
import type { Store } from './store.js';
import type { Step, Value } from './writer.js';

// Whether mail may go past a draft that rests in the input box.
export type PastDraft = 'auto' | 'now' | 'stale' | 'never';

export type DraftState =
  // Taken from the box and not proved to be back.
  | 'saved'
  // Back in the box, and proved.
  | 'restored'
  // The box holds something else now; the text is offered to the person.
  | 'differs'
  // The person took it.
  | 'taken';

export interface DraftRow {
  seq: number;
  id: string;
  session_id: string;
  session_name: string;
  message_id: string | null;
  attempt: number;
  protocol: string;
  text: string;
  caret: number | null;
  exact: 0 | 1;
  state: DraftState;
  // How it is known to be back.
  proof: string | null;
  // What the box held instead.
  found: string | null;
  // How long a person's keys waited.
  held_ms: number | null;
  created_at: number;
  updated_at: number;
}

export type NewDraft = Omit<DraftRow, 'seq'>;
export type DraftChange = Partial<Omit<NewDraft, 'id'>> & { updated_at: number };

const COLUMNS: readonly (keyof NewDraft)[] = [
  'id',
  'session_id',
  'session_name',
  'message_id',
  'attempt',
  'protocol',
  'text',
  'caret',
  'exact',
  'state',
  'proof',
  'found',
  'held_ms',
  'created_at',
  'updated_at',
];
const OPEN = "('saved', 'differs')";

export const insertDraft = (row: NewDraft): Step => ({
  sql: `INSERT INTO drafts (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`,
  values: COLUMNS.map((column) => row[column] as Value),
});

export function updateDraft(id: string, change: DraftChange): Step {
  const columns = Object.keys(change) as (keyof DraftChange)[];
  return {
    sql: `UPDATE drafts SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`,
    values: [...columns.map((column) => change[column] as Value), id],
    expect: 1,
  };
}

// Those that nothing has happened to since `before`.
export const purgeDrafts = (before: number): Step => ({
  sql: 'DELETE FROM drafts WHERE updated_at < ?',
  values: [before],
});

export interface DraftQuery {
  session?: string | undefined;
  // `open`: those that a person may still want, saved or differs.
  state?: DraftState | 'open' | undefined;
  limit: number;
}

export class Drafts {
  readonly #byId: Statement;
  readonly #byPrefix: Statement;
  readonly #list: Statement;
  readonly #openFor: Statement;
  readonly #byAttempt: Statement;
  readonly #countOpen: Statement;

  constructor({ read }: Store) {
    this.#byId = read.prepare('SELECT * FROM drafts WHERE id = ?');
    this.#byPrefix = read.prepare('SELECT * FROM drafts WHERE id >= ? AND id < ? LIMIT 2');
    this.#list = read.prepare(
      `SELECT * FROM (
         SELECT * FROM drafts
         WHERE (:session IS NULL OR session_id = :session)
           AND (:state IS NULL OR state = :state OR (:state = 'open' AND state IN ${OPEN}))
         ORDER BY seq DESC LIMIT :limit
       ) ORDER BY seq`,
    );
    this.#openFor = read.prepare(
      `SELECT * FROM drafts WHERE session_id = ? AND state IN ${OPEN} ORDER BY seq`,
    );
    this.#countOpen = read.prepare(`SELECT COUNT(*) FROM drafts WHERE state IN ${OPEN}`).pluck();
    this.#byAttempt = read.prepare(
      'SELECT * FROM drafts WHERE message_id = ? AND attempt = ? ORDER BY seq DESC LIMIT 1',
    );
  }

  get(id: string): DraftRow | undefined {
    return this.#byId.get(id) as DraftRow | undefined;
  }

  // All that begin with the prefix, two at most: enough to know whether it is clear.
  startingWith(prefix: string): DraftRow[] {
    return this.#byPrefix.all(prefix, `${prefix}\uffff`) as DraftRow[];
  }

  // The newest, oldest of them first.
  list({ session, state, limit }: DraftQuery): DraftRow[] {
    return this.#list.all({ session: session ?? null, state: state ?? null, limit }) as DraftRow[];
  }

  // What was taken from its box and is not back.
  openFor(sessionId: string): DraftRow[] {
    return this.#openFor.all(sessionId) as DraftRow[];
  }

  // Of all sessions.
  countOpen(): number {
    return this.#countOpen.get() as number;
  }

  byAttempt(messageId: string, attempt: number): DraftRow | undefined {
    return this.#byAttempt.get(messageId, attempt) as DraftRow | undefined;
  }
}
