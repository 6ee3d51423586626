// Reading and filling an input box on a pane.
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
  quietAt,
} from './decide.js';
export { type Aftermath, DirectInput, type Seen } from './direct.js';
export { type Envelope, type Evidence, endsAtCursor, seenInBox } from './evidence.js';
export { type Look, looksEmpty, mayBeEmpty, takeLook } from './look.js';
export { steadyView } from './steady.js';
