// Rows as the API shows them.
import { type Door, type Status, surenessOf } from '../agents/index.js';
import type {
  AgentStatus,
  Plan as ApiPlan,
  Session as ApiSession,
  DoorInfo,
  Draft,
  FeedDraft,
  FeedInboxItem,
  FeedMessage,
  InboxItem,
  Message,
  MessageEvent,
  MessageWithEvents,
} from '../api/types.js';
import { heldOf, type Plan, type PostOffice, speaksAs, suretyOf } from '../mail/index.js';
import { parseAddress, type Session } from '../sessions/index.js';
import type { DraftRow, EventRow, InboxRow, MessageRow } from '../store/index.js';

const time = (ms: number): string => new Date(ms).toISOString();

// `counts`: how much waits for each, where many are shown at once.
export function presentSession(
  session: Session,
  office: PostOffice,
  counts?: ReadonlyMap<string, number>,
): ApiSession {
  const { row, program } = session;
  const pending = counts ? (counts.get(row.id) ?? 0) : office.ledger.messages.waitingCount(row.id);
  const first = pending ? office.ledger.messages.next(row.id) : undefined;
  return {
    id: row.id,
    name: row.name,
    agent: row.agent,
    origin: row.origin,
    host: session.host,
    host_down: hostDown(session, office),
    socket: parseAddress(row.socket).path,
    pane: row.pane,
    tmux_session: row.tmux_session,
    command: session.command,
    cwd: row.cwd,
    program: program && { pid: program.pid, name: program.argv[0] ?? '', started: program.started },
    epoch: row.epoch,
    state: row.state,
    state_reason: row.state_reason,
    status: presentStatus(office.statusOf(session)),
    door: presentDoor(office.doorOf(session)),
    paused: row.paused === 1,
    parent: presentParent(row.parent, office),
    groups: session.groups,
    busy_since: row.busy_since === null ? null : time(row.busy_since),
    busy_reason: row.busy_reason,
    signal_seq: row.signal_seq,
    signal_state: row.signal_state,
    signal_message: row.signal_message,
    signal_door: row.signal_door,
    signal_at: row.signal_at === null ? null : time(row.signal_at),
    went_on_at: session.wentOnAt === 0 ? null : time(session.wentOnAt),
    last_signal_at: row.last_signal_at === null ? null : time(row.last_signal_at),
    nudge_seq: row.signal_seq,
    nudge_state: row.signal_state,
    past_draft: row.past_draft,
    pending,
    held: first ? (heldOf(first)?.reason ?? null) : null,
    created_at: time(row.created_at),
  };
}

// Why its host cannot be reached; null where it can, and for a session of this machine.
function hostDown({ host }: Session, office: PostOffice): string | null {
  if (host === null) return null;
  const state = office.deps.registry.deps.servers.hostState(host);
  if (state.kind === 'up') return null;
  return state.kind === 'down' ? state.reason : 'the connection to it is being made';
}

const presentParent = (id: string | null, office: PostOffice): ApiSession['parent'] =>
  id === null ? null : { id, name: office.deps.registry.get(id)?.name ?? null };

export function presentMessage(row: MessageRow, office: PostOffice): Message {
  const waits = row.state === 'pending' || row.state === 'attempting';
  const position = waits ? (row.position ?? office.ledger.messages.position(row)) : null;
  const shown = { ...presentForFeed(row), text: row.text, queue_position: position };
  if (position === null || position === 1 || shown.held) return shown;
  const first = office.ledger.messages.nextId(row.recipient);
  return first ? { ...shown, held: 'queue', held_detail: `behind #${first}` } : shown;
}

// With its whole life, and what of it is asked for most: how it went in, and what of a person's made way for it.
export function presentWithEvents(row: MessageRow, office: PostOffice): MessageWithEvents {
  const events = office.ledger.messages.events(row.id).map(presentEvent);
  const last = <T>(
    kinds: readonly string[] | null,
    field: string,
    is: (value: unknown) => value is T,
  ): T | null => {
    const found = events.findLast(({ kind, data }) => (kinds?.includes(kind) ?? true) && is(data[field]));
    return found ? (found.data[field] as T) : null;
  };
  return {
    ...presentMessage(row, office),
    way: last(['attempt'], 'way', isText),
    held_ms: last(['submitted', 'accepted'], 'heldMs', isNumber),
    draft: last(null, 'draft', isText),
    turn: row.turn,
    evidence: last(['received'], 'evidence', isText),
    answer: last(['done'], 'answer', isText),
    events,
  };
}

export const presentStatus = (status: Status): AgentStatus => {
  const { state, detail, since, source } = status;
  return state === 'unknown'
    ? { state, since: null, source: null, sure: null, detail }
    : { state, since: time(since), source, sure: surenessOf(status), detail };
};

export const presentDoor = (door: Door | undefined): DoorInfo | null =>
  door
    ? {
        name: door.name,
        state: door.state.kind,
        reason: door.state.kind === 'shut' ? door.state.reason : null,
      }
    : null;

export const presentInboxItem = (row: InboxRow): InboxItem => ({
  ...presentInboxForFeed(row),
  text: row.text,
});

export const presentInboxForFeed = (row: InboxRow): FeedInboxItem => ({
  id: row.id,
  from: { id: row.sender_session, name: row.sender_name },
  mode: row.mode,
  in_reply_to: row.in_reply_to,
  thread: row.thread,
  created_at: time(row.created_at),
  read_at: row.read_at === null ? null : time(row.read_at),
});

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';

export const presentDraft = (row: DraftRow): Draft => ({
  ...presentDraftForFeed(row),
  text: row.text,
  caret: row.caret,
  found: row.found,
});

export const presentDraftForFeed = (row: DraftRow): FeedDraft => ({
  id: row.id,
  session: { id: row.session_id, name: row.session_name },
  message: row.message_id,
  attempt: row.attempt,
  protocol: row.protocol,
  exact: row.exact === 1,
  state: row.state,
  proof: row.proof,
  held_ms: row.held_ms,
  created_at: time(row.created_at),
  updated_at: time(row.updated_at),
});

// Without what would be costly to keep, or to count for each of many.
export function presentForFeed(row: MessageRow): FeedMessage {
  const held = heldOf(row);
  return {
    id: row.id,
    to: { id: row.recipient, name: row.recipient_name },
    from: { id: row.sender_session, name: row.sender_name },
    command: row.command === 1,
    mode: row.mode,
    as: speaksAs(row),
    surety: suretyOf(row),
    past_draft: row.past_draft,
    state: row.state,
    receipt: row.receipt,
    held: held?.reason ?? null,
    held_detail: held?.detail ?? null,
    attempts: row.attempts,
    failures: row.failures,
    expires_at: row.expires_at === null ? null : time(row.expires_at),
    when: row.when_idle === 1 ? 'idle' : 'now',
    in_reply_to: row.in_reply_to,
    thread: row.thread,
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

export const presentPlan = ({ session, way, reason, detail, proves }: Plan): ApiPlan => ({
  to: { id: session.id, name: session.name },
  way,
  reason,
  detail,
  proves,
});
