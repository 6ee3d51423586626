// What an attempt that came to nothing means: looked at again at once, tried again later, or given up.
import type { Refusal } from '../composer/index.js';
import type { MessageRow } from '../store/index.js';
import type { RefusalReason } from '../tmux/index.js';
import type { MessageEvent } from './lifecycle.js';

// A person was in the way, the pane changed at that moment, or a daemon died: no fault of the way in, and no reason to wait.
// Each by its name, so that one that is added cannot be forgotten here.
const PASSING: Record<Refusal | RefusalReason | 'interrupted' | 'cleared_by_person', true> = {
  interrupted: true,
  cleared_by_person: true,
  user_typing: true,
  person_active: true,
  cursor_moved: true,
  keys_freed: true,
  mark_changed: true,
  in_mode: true,
  not_at_prompt: true,
  draft_unreadable: true,
  stash_taken: true,
  text_not_found: true,
  sentinel_not_found: true,
  other_program: true,
  gone: true,
  dead: true,
};

const FIRST_RETRY_MS = 1000;
export const LONGEST_RETRY_MS = 5 * 60_000;

export const retryAfter = (failures: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS);

// The event for an attempt that was refused. `another`: there is another way in, which is tried at once.
export function refused(
  { failures }: Pick<MessageRow, 'failures'>,
  reason: string,
  now: number,
  next: 'again' | 'another' = 'again',
): MessageEvent {
  if (Object.hasOwn(PASSING, reason)) return { kind: 'refused', reason };
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
