// What becomes of one use of a signal, by what happened to it. Pure.
import type { SignalUseChange, SignalUseRow } from '../store/index.js';

export type UseEvent =
  // What cannot be taken back is about to happen: from here on it is never begun again.
  | { kind: 'begun' }
  | { kind: 'done' }
  // It may be taken when it is tried again.
  | { kind: 'not_taken'; reason: string }
  | { kind: 'failed'; reason: string }
  // There is nothing to be done.
  | { kind: 'dropped'; reason: string };

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 10 * 60_000;
// What is older than this is nobody's news any more.
export const MOST_AGE_MS = 24 * 60 * 60_000;

type Use = Pick<SignalUseRow, 'state' | 'tries' | 'due_at' | 'reason' | 'created_at'>;

export function next(use: Use, event: UseEvent, now: number): SignalUseChange {
  const { tries, due_at } = use;
  switch (event.kind) {
    case 'begun':
      return { state: 'started', tries: tries + 1, due_at, reason: null, settled_at: null };
    case 'done':
      return {
        state: 'done',
        tries: use.state === 'started' ? tries : tries + 1,
        due_at,
        reason: null,
        settled_at: now,
      };
    case 'not_taken': {
      const at = now + Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS);
      if (at - use.created_at > MOST_AGE_MS)
        return { state: 'failed', tries: tries + 1, due_at, reason: event.reason, settled_at: now };
      return { state: 'waiting', tries: tries + 1, due_at: at, reason: event.reason, settled_at: null };
    }
    case 'failed':
    case 'dropped':
      return { state: event.kind, tries, due_at, reason: event.reason, settled_at: now };
  }
}

// Nothing was done about it in all that time.
export const isTooOld = ({ created_at }: Pick<Use, 'created_at'>, now: number): boolean =>
  now - created_at > MOST_AGE_MS;
