// Signals: what agents report, each once.

export { SignalDesk } from './desk.js';
export { type NearMiss, NearMisses } from './near-misses.js';
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
export { isFresh, rulesOf, STATES, type States, statesOf } from './states.js';
