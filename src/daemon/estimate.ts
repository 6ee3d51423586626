// What stands between a message and its delivery, in one word for whoever sent it.
import type { EstimatedDelivery } from '../api/types.js';
import type { HeldReason } from '../mail/index.js';
import type { MessagePhase } from '../store/index.js';

export interface Prospects {
  state: MessagePhase;
  // Why it waits, where that is on record.
  held: HeldReason | undefined;
  // The one that goes first, if that is another, and why that one waits.
  ahead: { held: HeldReason | undefined } | undefined;
  // What was seen at the moment of sending, for one that nobody has looked at since. `reason`: of a hold, where way is 'wait'.
  plan: { way: string; reason: string } | undefined;
}

const ESTIMATES: Readonly<Record<HeldReason, EstimatedDelivery>> = {
  agent_busy: 'waiting_for_idle',
  not_idle: 'waiting_for_idle',
  busy: 'waiting_for_idle',
  user_typing: 'waiting_for_user_input',
  draft: 'waiting_for_user_input',
  draft_unreadable: 'waiting_for_user_input',
  composer_unknown: 'waiting_for_user_input',
  stash_taken: 'waiting_for_user_input',
  keys_not_held: 'waiting_for_user_input',
  box_not_read: 'waiting_for_user_input',
  text_not_found: 'waiting_for_user_input',
  sentinel_not_found: 'waiting_for_user_input',
  in_mode: 'waiting_for_user_input',
  agent_waits: 'waiting_for_dialog',
  not_at_prompt: 'waiting_for_dialog',
  starting: 'waiting_for_session',
  link_down: 'waiting_for_session',
  host_down: 'waiting_for_session',
  door_opening: 'waiting_for_session',
  session_ended: 'waiting_for_session',
  session_gone: 'waiting_for_session',
  other_program: 'waiting_for_session',
  screen_changes: 'waiting_for_screen',
  synchronized: 'waiting_for_screen',
  line_too_long: 'waiting_for_screen',
  text_not_seen: 'waiting_for_screen',
  submit_not_seen: 'waiting_for_screen',
  failed_before: 'waiting_for_retry',
  agent_returned: 'waiting_for_retry',
  paused: 'paused',
};

export function estimate({ state, held, ahead, plan }: Prospects): EstimatedDelivery {
  if (state === 'accepted') return 'in_agent_queue';
  // What holds the first one holds all behind it.
  if (ahead) return ahead.held ? ESTIMATES[ahead.held] : 'behind_others';
  if (held) return ESTIMATES[held];
  if (plan?.way !== 'wait') return 'immediate';
  return isHeldReason(plan.reason) ? ESTIMATES[plan.reason] : 'behind_others';
}

const isHeldReason = (word: string): word is HeldReason => Object.hasOwn(ESTIMATES, word);
