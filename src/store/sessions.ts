// The table of sessions.
import type { Statement } from 'better-sqlite3';
import type { PastDraft } from './drafts.js';
import type { Store } from './store.js';
import type { Step, Value } from './writer.js';

export type SessionPhase = 'starting' | 'live' | 'ended' | 'gone';

export interface SessionRow {
  id: string;
  name: string;
  agent: string;
  origin: 'started' | 'adopted';
  socket: string;
  server: string;
  tmux_session: string;
  pane: string;
  command: string;
  cwd: string;
  program: string | null;
  epoch: number;
  state: SessionPhase;
  state_reason: string | null;
  paused: 0 | 1;
  composer: string | null;
  // Null: as the configuration says.
  past_draft: PastDraft | null;
  // JSON: what its door needs to be found again; what its agent was last known to do.
  door: string | null;
  status: string | null;
  // The session whose agent started it.
  parent: string | null;
  // JSON: names of the groups that it is in.
  groups: string;
  // Since when its agent is busy by its own word, and with what.
  busy_since: number | null;
  busy_reason: string | null;
  // The number of its last signal (0: none yet), what that was, through which door it came and when it was said.
  signal_seq: number;
  signal_state: string | null;
  signal_message: string | null;
  signal_door: string | null;
  signal_at: number | null;
  // When its agent last reported one by itself.
  last_signal_at: number | null;
  // When a person last typed into it through the dashboard: seconds since the epoch, with a fraction.
  keyed_at: number | null;
  created_at: number;
  removed_at: number | null;
}

const COLUMNS: readonly (keyof SessionRow)[] = [
  'id',
  'name',
  'agent',
  'origin',
  'socket',
  'server',
  'tmux_session',
  'pane',
  'command',
  'cwd',
  'program',
  'epoch',
  'state',
  'state_reason',
  'paused',
  'composer',
  'past_draft',
  'door',
  'status',
  'parent',
  'groups',
  'busy_since',
  'busy_reason',
  'signal_seq',
  'signal_state',
  'signal_message',
  'signal_door',
  'signal_at',
  'last_signal_at',
  'keyed_at',
  'created_at',
  'removed_at',
];

export const insertSession = (row: SessionRow): Step => ({
  sql: `INSERT INTO sessions (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`,
  values: COLUMNS.map((column) => row[column] as Value),
});

export function updateSession(id: string, change: Partial<SessionRow>): Step {
  const columns = Object.keys(change) as (keyof SessionRow)[];
  return {
    sql: `UPDATE sessions SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`,
    values: [...columns.map((column) => change[column] as Value), id],
    expect: 1,
  };
}

// When a person last typed only grows: another write of it may be under way.
export const updateComposer = (id: string, composer: string, keyedAt: number | null): Step => ({
  sql: `UPDATE sessions SET composer = ?,
          keyed_at = CASE WHEN coalesce(?, 0) > coalesce(keyed_at, 0) THEN ? ELSE keyed_at END WHERE id = ?`,
  values: [composer, keyedAt, keyedAt, id],
  expect: 1,
});

// Those that were removed before that moment and that no message and no signal names any more.
export const purgeSessions = (before: number): Step => ({
  sql: `DELETE FROM sessions WHERE removed_at < ?
        AND NOT EXISTS (SELECT 1 FROM messages WHERE recipient = sessions.id)
        AND NOT EXISTS (SELECT 1 FROM messages WHERE sender_session = sessions.id)
        AND NOT EXISTS (SELECT 1 FROM signals WHERE session = sessions.id)`,
  values: [before],
});

// Also those that were removed: a message keeps the name of its recipient.
export class SessionTable {
  readonly #present: Statement;

  constructor({ read }: Store) {
    this.#present = read.prepare('SELECT * FROM sessions WHERE removed_at IS NULL ORDER BY created_at, id');
  }

  present(): SessionRow[] {
    return this.#present.all() as SessionRow[];
  }
}
