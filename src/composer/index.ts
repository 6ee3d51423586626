// Reading and filling an input box on a pane.

export { abilitiesOf } from './abilities.js';
export type { BoxProfile, LineKeys, ProtocolChoice, ProtocolName } from './box-profile.js';
export { caretKeys } from './caret.js';
export {
  activityOf,
  baseline,
  type ComposerMemory,
  type Decision,
  decide,
  freshComposer,
  type HoldReason,
  isOnlyAttached,
  isTouched,
  NEW_COMPOSER,
  persons,
  quietAt,
} from './decide.js';
export { type Aftermath, DirectInput, pinned, type Seen, type Sent } from './direct.js';
export { EditorProtocol } from './editor.js';
export {
  countMarks,
  cursorRowText,
  type Envelope,
  type Evidence,
  endsAtCursor,
  endsInFullRow,
  hasId,
  isTaken,
  seenInBox,
  squash,
} from './evidence.js';
export { Handover } from './handover.js';
export { interruptProtocol } from './interrupt.js';
export type { InterruptRules } from './interrupt-window.js';
export { isWithoutCursor, type Look, looksEmpty, mayBeEmpty, takeLook } from './look.js';
export type {
  Abilities,
  Draft,
  Held,
  Loaded,
  Protocol,
  Recovered,
  Refusal,
  Restored,
  SwapStep,
  SwapTools,
} from './protocol.js';
export { SentinelProtocol, suitsSentinel } from './sentinel.js';
export { StashProtocol } from './stash.js';
export { steadyView } from './steady.js';
export { runTrial, type TrialOutcome } from './trial.js';
