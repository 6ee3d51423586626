// Why nothing was done, in the words of a receipt.
import type { Injection } from '../tmux/index.js';
import type { Loaded, Refusal } from './protocol.js';

export type Refused = Extract<Loaded, { kind: 'refused' }>;
export const refused = (reason: Refusal, detail: string): Refused => ({ kind: 'refused', reason, detail });

export type Why = [reason: Refusal, detail: string];

export const tooEarly = (whose: 'ours' | 'theirs'): Refused =>
  whose === 'theirs'
    ? refused('user_typing', 'a person pressed a key a moment ago, and a second Ctrl-C would end the agent')
    : refused('not_at_prompt', 'our last Ctrl-C is too recent: a second one would end the agent');

export function why(injection: Injection | undefined): Why {
  if (injection?.outcome !== 'refused') return ['user_typing', 'no key was pressed'];
  switch (injection.reason) {
    case 'gone':
    case 'dead':
      return ['gone', 'the program in the pane has ended'];
    case 'in_mode':
      return ['in_mode', 'a person is in copy mode or a menu of tmux there'];
    case 'other_program':
      return ['other_program', 'another program has the pane'];
    case 'mark_changed':
      return ['other_program', 'another attempt has taken over'];
    default:
      return ['user_typing', 'the box changed between our look and our key'];
  }
}
