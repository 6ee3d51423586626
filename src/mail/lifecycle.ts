// A message's life as a log of events; its state is a fold over them.
import type { ProtocolName } from '../composer/index.js';
import type { Folded, Mode, PastDraft, ReceiptLevel } from '../store/index.js';

// By a protocol through the input box, or through the agent's own door.
export type Way = ProtocolName | 'door';

// The weakest first.
const RECEIPTS: readonly ReceiptLevel[] = ['queued', 'typed', 'submitted', 'received', 'done'];

export type MessageEvent =
  | { kind: 'queued' }
  | { kind: 'held'; reason: HeldReason; detail: string }
  // `bell`: only a line that names it was typed; its text comes by a hook of its agent's.
  | {
      kind: 'attempt';
      n: number;
      epoch: number;
      lease: string;
      way: Way;
      door?: string | undefined;
      bell?: true | undefined;
      // Those that go along with it; or the one that this goes along with.
      riders?: readonly string[] | undefined;
      lead?: string | undefined;
    }
  // What a person had typed is on disk, or back in the box, or offered to them because it could not be put back.
  | { kind: 'draft'; draft: string; state: 'saved' | 'restored' | 'differs' }
  | { kind: 'typed'; evidence: string }
  // `heldMs`: how long a person's keys waited; `draft`: the draft that was kept meanwhile.
  | { kind: 'submitted'; evidence: string; heldMs?: number | undefined; draft?: string | undefined }
  // The agent's own queue has it, or its bell; it has not shown it yet.
  | { kind: 'accepted'; evidence: string; heldMs?: number | undefined; draft?: string | undefined }
  // The agent itself shows the message: what showed it, and in which turn.
  | { kind: 'received'; evidence: string; turn: string | null }
  // The turn that took it is over; the agent's answer, where it gives one.
  | { kind: 'done'; evidence: string; how: 'completed' | 'interrupted'; answer?: string | undefined }
  // The agent had it in its queue and has let go of it untaken, provably: it is delivered again.
  | { kind: 'returned'; reason: string }
  // Nobody can tell whether it was taken, and its sender would rather have it twice than not at all.
  | { kind: 'again'; reason: string }
  // The running turn was told to stop, so that this can go first.
  | { kind: 'interrupted'; state: string }
  // The attempt came to nothing, provably: it is tried again. `failed`: that counts, and the next one waits until `retryAt`.
  | { kind: 'refused'; reason: string; failed?: true | undefined; retryAt?: number | undefined }
  // Enter was pressed, and what became of it can no longer be seen: never tried again by itself.
  | { kind: 'uncertain'; reason: string }
  // `withdrawn`: its agent gave it back in the middle of the attempt.
  | { kind: 'cancelled'; reason: string; withdrawn?: true | undefined }
  // Its time was over before it could be delivered.
  | { kind: 'expired'; reason: string }
  // It failed too often: kept, and delivered again only if somebody says so.
  | { kind: 'dead'; reason: string }
  | { kind: 'redelivered'; by: string }
  // A person put it in front of another (or behind all), or changed how it goes.
  | { kind: 'moved'; before: string | null }
  | {
      kind: 'changed';
      mode?: Mode | undefined;
      past_draft?: PastDraft | null | undefined;
      when?: 'now' | 'idle' | undefined;
    };

export type HeldReason =
  | 'user_typing'
  | 'draft'
  | 'composer_unknown'
  | 'not_at_prompt'
  | 'in_mode'
  | 'synchronized'
  | 'paused'
  | 'starting'
  | 'session_ended'
  | 'session_gone'
  | 'other_program'
  | 'link_down'
  | 'host_down'
  | 'screen_changes'
  | 'line_too_long'
  | 'text_not_seen'
  | 'text_not_found'
  | 'sentinel_not_found'
  | 'draft_unreadable'
  | 'stash_taken'
  | 'keys_not_held'
  | 'box_not_read'
  | 'submit_not_seen'
  | 'agent_waits'
  | 'agent_busy'
  | 'agent_returned'
  | 'door_opening'
  | 'failed_before'
  | 'not_idle'
  | 'busy';

export interface Held {
  reason: HeldReason;
  detail: string;
}

export const QUEUED: Folded = {
  state: 'pending',
  receipt: 'queued',
  attempts: 0,
  failures: 0,
  not_before: null,
  lead: null,
  held: null,
  settled_at: null,
  turn: null,
};

// Pure: the state after an event. An event that cannot follow leaves the state as it is.
export function next(state: Folded, event: MessageEvent, at: number): Folded {
  if (!mayFollow(state, event)) return state;
  switch (event.kind) {
    case 'queued':
      return QUEUED;
    case 'draft':
    case 'interrupted':
    case 'moved':
      return state;
    // Why it waited may not hold any more. What is to go now does not wait for its next try either.
    case 'changed':
      return { ...state, held: null, ...(event.when === 'now' && { not_before: null }) };
    case 'held':
      return {
        ...state,
        held: JSON.stringify({ reason: event.reason, detail: event.detail } satisfies Held),
      };
    case 'attempt':
      return {
        ...state,
        state: 'attempting',
        receipt: 'queued',
        attempts: event.n,
        not_before: null,
        lead: event.lead ?? null,
        held: null,
      };
    case 'typed':
      return { ...state, receipt: atLeast(state, 'typed'), held: null };
    case 'accepted':
      // Its receipt may have overtaken the acknowledgement.
      return isAtLeast(state.receipt, 'received')
        ? { ...state, state: 'settled', held: null, settled_at: at }
        : { ...state, state: 'accepted', receipt: atLeast(state, 'submitted'), held: null };
    case 'submitted':
      return { ...state, state: 'settled', receipt: atLeast(state, 'submitted'), held: null, settled_at: at };
    case 'received':
      return {
        ...state,
        // An attempt that goes on has a draft to put back, and settles it by itself.
        ...(state.state === 'attempting' ? {} : { state: 'settled', settled_at: state.settled_at ?? at }),
        receipt: atLeast(state, 'received'),
        turn: event.turn,
        held: null,
      };
    case 'done':
      return { ...state, receipt: 'done' };
    case 'returned':
    case 'refused':
    case 'again':
      // Its agent has shown it: whatever the attempt came to, there is nothing left to deliver.
      return isAtLeast(state.receipt, 'received')
        ? { ...state, state: 'settled', held: null, settled_at: at }
        : { ...state, ...failed(state, event), state: 'pending', receipt: 'queued', lead: null, held: null };
    case 'redelivered':
      return { ...QUEUED, attempts: state.attempts };
    case 'uncertain':
      return {
        ...state,
        state: 'settled',
        // The agent's own queue had it, and nobody can tell whether it left that taken: only that it is on disk is known.
        receipt: state.state === 'accepted' ? 'queued' : state.receipt,
        held: null,
        settled_at: at,
      };
    case 'cancelled':
    case 'expired':
    case 'dead':
      return { ...state, state: event.kind, held: null, settled_at: at };
  }
}

const failed = (
  { failures }: Folded,
  event: MessageEvent,
): Pick<Folded, 'failures' | 'not_before'> | undefined =>
  event.kind === 'refused' && event.failed
    ? { failures: failures + 1, not_before: event.retryAt ?? null }
    : undefined;

// What may happen to a message in each state.
const FOLLOWS: Record<Folded['state'], ReadonlySet<MessageEvent['kind']>> = {
  pending: new Set([
    'queued',
    'held',
    'draft',
    'interrupted',
    'attempt',
    'received',
    'cancelled',
    'expired',
    'dead',
    'moved',
    'changed',
  ]),
  attempting: new Set([
    'held',
    'draft',
    'attempt',
    'typed',
    'accepted',
    'submitted',
    'received',
    'done',
    'refused',
    'again',
    'uncertain',
    'cancelled',
  ]),
  accepted: new Set(['held', 'received', 'done', 'returned', 'again', 'uncertain', 'cancelled', 'expired']),
  settled: new Set(['received', 'done']),
  cancelled: new Set(),
  expired: new Set(),
  dead: new Set(['redelivered', 'cancelled']),
};

export const mayFollow = (state: Folded, { kind }: MessageEvent): boolean =>
  FOLLOWS[state.state].has(kind) && (kind !== 'done' || state.receipt === 'received');

export const isAtLeast = (receipt: ReceiptLevel, wanted: ReceiptLevel): boolean =>
  RECEIPTS.indexOf(receipt) >= RECEIPTS.indexOf(wanted);

const atLeast = ({ receipt }: Folded, level: ReceiptLevel): ReceiptLevel =>
  isAtLeast(receipt, level) ? receipt : level;

// Nothing more is done for it, and it was not delivered.
export const isGivenUp = ({ state }: Pick<Folded, 'state'>): boolean =>
  state === 'cancelled' || state === 'expired' || state === 'dead';

// Nothing more is done for it, and nobody can tell whether it was taken.
export const isUncertain = ({ state, receipt }: Pick<Folded, 'state' | 'receipt'>): boolean =>
  state === 'settled' && !isAtLeast(receipt, 'submitted');

export const heldOf = (state: Pick<Folded, 'held'>): Held | undefined =>
  state.held === null ? undefined : (JSON.parse(state.held) as Held);
