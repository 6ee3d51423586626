// A message's life as a log of events; its state is a fold over them.
import type { ProtocolName } from '../composer/index.js';
import type { Folded } from '../store/index.js';

export type MessageEvent =
  | { kind: 'queued' }
  | { kind: 'held'; reason: HeldReason; detail: string }
  | { kind: 'attempt'; n: number; epoch: number; lease: string; way: ProtocolName }
  // What a person had typed is on disk, or back in the box, or offered to them because it could not be put back.
  | { kind: 'draft'; draft: string; state: 'saved' | 'restored' | 'differs' }
  | { kind: 'typed'; evidence: string }
  // `heldMs`: how long a person's keys waited; `draft`: the draft that was kept meanwhile.
  | { kind: 'submitted'; evidence: string; heldMs?: number | undefined; draft?: string | undefined }
  // The attempt came to nothing, provably: it is tried again.
  | { kind: 'refused'; reason: string }
  // Enter was pressed, and what became of it can no longer be seen: never tried again by itself.
  | { kind: 'uncertain'; reason: string }
  | { kind: 'cancelled'; reason: string };

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
  | 'screen_changes'
  | 'line_too_long'
  | 'text_not_seen'
  | 'text_not_found'
  | 'sentinel_not_found'
  | 'draft_unreadable'
  | 'stash_taken'
  | 'keys_not_held'
  | 'box_not_read'
  | 'submit_not_seen';

export interface Held {
  reason: HeldReason;
  detail: string;
}

export const QUEUED: Folded = {
  state: 'pending',
  receipt: 'queued',
  attempts: 0,
  held: null,
  settled_at: null,
};

// Pure: the state after an event. An event that cannot follow leaves the state as it is.
export function next(state: Folded, event: MessageEvent, at: number): Folded {
  if (state.state === 'settled' || state.state === 'cancelled') return state;
  const needsAttempt = ['typed', 'submitted', 'refused', 'uncertain'].includes(event.kind);
  if (needsAttempt && state.state !== 'attempting') return state;
  switch (event.kind) {
    case 'queued':
      return QUEUED;
    case 'draft':
      return state;
    case 'held':
      return {
        ...state,
        held: JSON.stringify({ reason: event.reason, detail: event.detail } satisfies Held),
      };
    case 'attempt':
      return { ...state, state: 'attempting', receipt: 'queued', attempts: event.n, held: null };
    case 'typed':
      return { ...state, receipt: 'typed', held: null };
    case 'submitted':
      return { ...state, state: 'settled', receipt: 'submitted', held: null, settled_at: at };
    case 'refused':
      return { ...state, state: 'pending', receipt: 'queued', held: null };
    case 'uncertain':
      return { ...state, state: 'settled', held: null, settled_at: at };
    case 'cancelled':
      return { ...state, state: 'cancelled', held: null, settled_at: at };
  }
}

export const heldOf = (state: Pick<Folded, 'held'>): Held | undefined =>
  state.held === null ? undefined : (JSON.parse(state.held) as Held);
