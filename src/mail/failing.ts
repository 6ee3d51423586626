// What an attempt that came to nothing means: looked at again at once, tried again later, or given up.
import type { MessageRow } from '../store/index.js';
import type { MessageEvent } from './lifecycle.js';

// A person was in the way, the pane changed at that moment, or a daemon died: no fault of the way in, and no reason to wait.
const PASSING: ReadonlySet<string> = new Set([
  'interrupted',
  'user_typing',
  'person_active',
  'cursor_moved',
  'keys_freed',
  'cleared_by_person',
  'mark_changed',
  'in_mode',
  'not_at_prompt',
  'draft_unreadable',
  'stash_taken',
  'text_not_found',
  'other_program',
  'gone',
  'dead',
]);

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 5 * 60_000;

export const retryAfter = (failures: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS);

// The event for an attempt that was refused. `another`: there is another way in, which is tried at once.
export function refused(
  { failures }: Pick<MessageRow, 'failures'>,
  reason: string,
  now: number,
  next: 'again' | 'another' = 'again',
): MessageEvent {
  if (PASSING.has(reason)) return { kind: 'refused', reason };
  return next === 'another'
    ? { kind: 'refused', reason, failed: true }
    : { kind: 'refused', reason, failed: true, retryAt: now + retryAfter(failures) };
}

export const isDead = ({ failures }: Pick<MessageRow, 'failures'>, maxAttempts: number): boolean =>
  failures >= maxAttempts;

export const dead = ({ failures }: Pick<MessageRow, 'failures'>): MessageEvent => ({
  kind: 'dead',
  reason: `${failures} attempts have failed`,
});
