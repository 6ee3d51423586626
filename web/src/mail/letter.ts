// What a person has filled in, and the request that it makes; or what is wrong with it. Pure.
import { DURATION_EXAMPLES, parseDuration } from '../../../src/api/duration.js';
import type { Mode, PastDraft, SendRequest } from '../../../src/api/types.js';

export interface Letter {
  text: string;
  mode: Mode;
  // As people write times; empty: as the configuration says.
  deadline: string;
  // Empty: as its session says.
  pastDraft: PastDraft | '';
  isWhenIdle: boolean;
  isNotified: boolean;
  isForced: boolean;
  isCommand: boolean;
}

export const BLANK: Letter = {
  text: '',
  mode: 'sequential',
  deadline: '',
  pastDraft: '',
  isWhenIdle: false,
  isNotified: false,
  isForced: false,
  isCommand: false,
};

export type Made = { ok: true; request: SendRequest } | { ok: false; problem: string };

export function makeRequest(letter: Letter, to: readonly string[], key: string): Made {
  if (to.length === 0) return { ok: false, problem: 'Say to whom: choose at least one session.' };
  if (letter.text.trim() === '') return { ok: false, problem: 'There is no text yet.' };
  const deadline = letter.deadline.trim();
  const ms = deadline === '' ? undefined : parseDuration(deadline);
  if (deadline !== '' && ms === undefined)
    return { ok: false, problem: `The deadline "${deadline}" is no time; write ${DURATION_EXAMPLES}.` };
  return {
    ok: true,
    request: {
      to: [...to],
      text: letter.text,
      mode: letter.mode,
      key,
      ...(ms !== undefined && { timeout_seconds: ms / 1000 }),
      ...(letter.pastDraft !== '' && { past_draft: letter.pastDraft }),
      ...(letter.isWhenIdle && { when: 'idle' as const }),
      ...(letter.isNotified && { notify_on_stop: true }),
      ...(letter.isForced && letter.mode === 'urgent' && { force: true }),
      ...(letter.isCommand && { command: true }),
    },
  };
}
