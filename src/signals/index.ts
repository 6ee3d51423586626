// Signals: what agents report, each once.

export { type Action, actionsOf } from './actions.js';
export { AgentSignals } from './agent-signals.js';
export { askingFor } from './attention.js';
export { type Classify, classifier } from './classifier.js';
export { SignalDesk } from './desk.js';
export { Effects } from './effects.js';
export { SignalFiles } from './files.js';
export { Inference } from './inference.js';
export { isLeftSignal, LeftSignals } from './left.js';
export { Listening } from './listening.js';
export { MailEffect } from './mail-effect.js';
export { MOST_KEPT, type NearMiss, NearMisses } from './near-misses.js';
export {
  MESSAGE_CHARACTERS,
  type Refusal,
  type Report,
  type Reported,
  SIGNAL_DOORS,
  SIGNAL_ID,
  type Signal,
  type SignalDoor,
  STATE_WORD,
} from './signal.js';
export { PLACEHOLDERS, unknownPlaceholders } from './signal-words.js';
export { isFresh, rulesOf, STATES, type States, statesOf } from './states.js';
export { MOST_AGE_MS } from './use-rule.js';
export { Uses } from './uses.js';
export { type SignalFound, type SignalGoal, waitForSignal } from './wait.js';
export { FLUSH_MS } from './watch.js';
export { Watches } from './watches.js';
