// Rows as the API shows them.
import type {
  Plan as ApiPlan,
  Session as ApiSession,
  FeedMessage,
  Message,
  MessageEvent,
} from '../api/types.js';
import { BEST_RECEIPT, heldOf, type Plan, type PostOffice } from '../mail/index.js';
import type { Session } from '../sessions/index.js';
import type { EventRow, MessageRow } from '../store/index.js';

const time = (ms: number): string => new Date(ms).toISOString();

export function presentSession(
  session: Session,
  office: PostOffice,
  counts = office.ledger.messages.waitingCounts(),
): ApiSession {
  const { row, program } = session;
  const pending = counts.get(row.id) ?? 0;
  const first = pending ? office.ledger.messages.next(row.id) : undefined;
  return {
    id: row.id,
    name: row.name,
    agent: row.agent,
    origin: row.origin,
    socket: row.socket,
    pane: row.pane,
    tmux_session: row.tmux_session,
    command: session.command,
    cwd: row.cwd,
    program: program && { pid: program.pid, name: program.argv[0] ?? '', started: program.started },
    epoch: row.epoch,
    state: row.state,
    state_reason: row.state_reason,
    paused: row.paused === 1,
    pending,
    held: first ? (heldOf(first)?.reason ?? null) : null,
    created_at: time(row.created_at),
  };
}

export function presentMessage(row: MessageRow, office: PostOffice): Message {
  const waits = row.state === 'pending' || row.state === 'attempting';
  const position = waits ? (row.position ?? office.ledger.messages.position(row)) : null;
  const shown = { ...presentForFeed(row), text: row.text, queue_position: position };
  if (position === null || position === 1 || shown.held) return shown;
  const first = office.ledger.messages.next(row.recipient);
  return first ? { ...shown, held: 'queue', held_detail: `behind #${first.id}` } : shown;
}

// Without what would be costly to keep, or to count for each of many.
export function presentForFeed(row: MessageRow): FeedMessage {
  const held = heldOf(row);
  return {
    id: row.id,
    to: { id: row.recipient, name: row.recipient_name },
    from: { id: row.sender_session, name: row.sender_name },
    command: row.command === 1,
    mode: row.mode,
    state: row.state,
    receipt: row.receipt,
    held: held?.reason ?? null,
    held_detail: held?.detail ?? null,
    attempts: row.attempts,
    created_at: time(row.created_at),
    settled_at: row.settled_at === null ? null : time(row.settled_at),
  };
}

export const presentEvent = (row: EventRow): MessageEvent => ({
  seq: row.seq,
  at: time(row.at),
  kind: row.kind,
  data: JSON.parse(row.data) as Record<string, unknown>,
});

export const presentPlan = ({ session, way, reason, detail }: Plan): ApiPlan => ({
  to: { id: session.id, name: session.name },
  way,
  reason,
  detail,
  proves: BEST_RECEIPT,
});
