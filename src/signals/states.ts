// The states that a signal may have: ours, and those that a user adds or changes in the configuration.
import type { SignalStateRules } from '../mail/index.js';

export type States = Readonly<Record<string, SignalStateRules>>;

export const STATES: States = {
  working: { urgency: 'low', attention: false },
  idle: { urgency: 'low', attention: false },
  needs_input: { urgency: 'high', attention: true },
  needs_testing: { urgency: 'normal', attention: true },
  completed: { urgency: 'normal', attention: true },
  error: { urgency: 'high', attention: true },
};

// A user's word on a state of ours counts.
export const statesOf = ({ signalStates }: { signalStates: States }): States => ({
  ...STATES,
  ...signalStates,
});

// Of a state that is configured no more.
const FORGOTTEN: SignalStateRules = { urgency: 'normal', attention: false };

export const rulesOf = (state: string, config: { signalStates: States }): SignalStateRules => {
  const states = statesOf(config);
  return (Object.hasOwn(states, state) && states[state]) || FORGOTTEN;
};

// What an agent reported so recently is not overruled by what somebody infers.
export const isFresh = (
  lastSignalAt: number | null,
  now: number,
  { signalFreshMs }: { signalFreshMs: number },
): boolean => lastSignalAt !== null && now - lastSignalAt < signalFreshMs;
