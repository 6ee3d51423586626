// What states and reasons are called on the page.
import type { Session } from '../../../src/api/types.js';
import { isOutdated, type Need } from './need.js';
import type { Section } from './order.js';

export const NEED_WORDS: Record<Need, string> = {
  now: 'Needs you',
  soon: 'Worth a look',
  working: 'At work',
  quiet: 'At rest',
  over: 'Ended',
};

export const SECTION_WORDS: Record<Section, string> = { ...NEED_WORDS, new: 'New' };

export const stateWords = (state: string): string => state.replaceAll('_', ' ');

const STATUS_WORDS: Record<Session['status']['state'], string> = {
  idle: 'idle',
  busy: 'working',
  waiting: 'waits for an answer',
  gone: 'gone',
  unknown: 'running',
};

export interface Told {
  word: string;
  message: string | null;
  since: string | null;
  // Its agent did not say so itself.
  isInferred: boolean;
}

// The one line that says how it goes with a session: what its agent reported, unless what it does says more.
export function told(session: Session): Told {
  const { status, state } = session;
  if (state === 'ended' || state === 'gone')
    return { word: state, message: session.state_reason, since: null, isInferred: false };
  if (session.host_down !== null)
    return { word: 'host not reached', message: session.host_down, since: null, isInferred: false };
  if (state === 'starting')
    return { word: 'starting', message: null, since: session.created_at, isInferred: false };
  if (status.state === 'waiting')
    return {
      word: STATUS_WORDS.waiting,
      message: session.signal_state === 'needs_input' ? session.signal_message : status.detail,
      since: status.since,
      isInferred: false,
    };
  if (session.signal_state !== null && !isOutdated(session))
    return {
      word: stateWords(session.signal_state),
      message: session.signal_message,
      since: session.signal_at,
      isInferred: session.signal_door === 'inferred',
    };
  const message = session.busy_since ? session.busy_reason : status.detail;
  return { word: STATUS_WORDS[status.state], message, since: status.since, isInferred: false };
}

const HELD_WORDS: Record<string, string> = {
  queue: 'others go first',
  user_typing: 'somebody is typing there',
  draft: 'a draft is in the box',
  composer_unknown: 'the box may hold a draft',
  not_at_prompt: 'no input box at the cursor',
  in_mode: 'somebody is in copy mode',
  synchronized: 'its panes are synchronized',
  paused: 'delivery is paused',
  starting: 'it is starting',
  session_ended: 'its program has ended',
  session_gone: 'its pane has gone',
  other_program: 'another program has its pane',
  link_down: 'tmux is being reached',
  host_down: 'its host is not reached',
  screen_changes: 'its screen keeps changing',
  line_too_long: 'a line is too long for it',
  text_not_seen: 'the text did not show up',
  submit_not_seen: 'Enter had no visible effect',
  agent_waits: 'its agent waits for an answer',
  agent_busy: 'its turn is running',
  agent_returned: 'its agent gave it back',
  door_opening: 'its own way in is opening',
  failed_before: 'an attempt failed, the next one waits',
  not_idle: 'it comes once the agent is idle',
  busy: 'its agent said that it is busy',
};

export const heldWords = (reason: string): string => HELD_WORDS[reason] ?? stateWords(reason);
