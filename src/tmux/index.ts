// The tmux layer's public face: servers, links to their sessions, panes, and guarded injection.
export { ControlClient, type ControlExit } from './control.js';
export { CutOff, HostDown, TmuxError } from './errors.js';
export { type Disposable, DisposableStore, disposable, Emitter, type Listener } from './events.js';
export { type Fitted, fitWindow, unfitWindow } from './fit.js';
export { type Guard, type Injection, inject, type Mark, type RefusalReason } from './guard.js';
export { KeyHold, type Released } from './hold.js';
export { HoldCursor } from './hold-cursor.js';
export { HoldNames, TABLE_PREFIX } from './hold-names.js';
export { ESCAPE_MS, type HoldPace, type KeyKind, NO_RUN } from './hold-pace.js';
export {
  findHold,
  HOLD_WATCH,
  type HoldPlan,
  type HoldRefusal,
  type HoldStart,
  type HoldWatch,
  holdKeys,
  holdWatchText,
} from './hold-start.js';
export { letThrough, pauseFor } from './hold-step.js';
export type { HostFacts } from './host-facts.js';
export type { HostState } from './host-state.js';
export { isKeyName, KEY_NAMES } from './key-names.js';
export { type LinkState, SessionLink } from './link.js';
export { type CaptureOptions, Pane, type Stroke, type Waited } from './pane.js';
export { type Block, ControlParser, type Notification } from './protocol.js';
export { escapeFormat, escapeGlob, quote } from './quote.js';
export {
  CLIENT_FLAGS,
  type LinkLease,
  type ServerIdentity,
  type SocketAddress,
  TmuxServer,
} from './server.js';
export { shellLine, shellWord } from './shell-words.js';
export { parseSnapshot, type Snapshot, snapshotCommands } from './snapshot.js';
export { SshFailure, type SshProblem } from './ssh-failure.js';
export { SshHost } from './ssh-host.js';
export { exitArgs } from './ssh-options.js';
export { LocalTransport, type Transport, unlessLost } from './transport.js';
export type { AttachedClient, PaneView } from './view.js';
