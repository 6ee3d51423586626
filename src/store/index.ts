// The store's public face.
export { type Backup, backupDatabase } from './backup.js';
export {
  type DraftChange,
  type DraftQuery,
  type DraftRow,
  type DraftState,
  Drafts,
  insertDraft,
  type NewDraft,
  type PastDraft,
  purgeDrafts,
  updateDraft,
} from './drafts.js';
export { DiskFull, StoreError, Unmet } from './errors.js';
export { History, type HistoryPage, type StoredMessage } from './history.js';
export { deleteHost, type HostRow, insertHost, listHosts } from './hosts.js';
export {
  Inbox,
  type InboxRow,
  insertInbox,
  markRead,
  markReadUpTo,
  type NewInboxRow,
  purgeInbox,
} from './inbox.js';
export { type HomeLock, lockHome } from './lock.js';
export type {
  EventRow,
  Folded,
  MessagePhase,
  MessageRow,
  Mode,
  NewMessage,
  Notify,
  ReceiptLevel,
  Speaks,
  Surety,
} from './message-row.js';
export {
  cancelWaiting,
  changeWaiting,
  insertEvent,
  insertMessage,
  liftDeadline,
  type Place,
  purgeMessages,
  takePlaces,
  updateFolded,
} from './message-steps.js';
export { Messages } from './messages.js';
export { insertSendKey, purgeSendKeys, type SendKey, SendKeys } from './send-keys.js';
export {
  insertSession,
  purgeSessions,
  type SessionPhase,
  type SessionRow,
  SessionTable,
  updateComposer,
  updateSession,
} from './sessions.js';
export {
  dropAllSignIns,
  dropSignIn,
  purgeSignIns,
  putSignIn,
  readSignIns,
  type SignInRow,
  settleSignIn,
} from './sign-ins.js';
export { dropSignalFile, putSignalFile, type SignalFileRow, SignalFileTable } from './signal-files.js';
export {
  dropSignalMarks,
  putSignalMark,
  putSignalRecord,
  type SignalMarkRow,
  SignalMarkTable,
  updateSignalMark,
} from './signal-marks.js';
export {
  insertSignalMail,
  insertSignalUse,
  loseSignalUses,
  purgeSignalUses,
  type SignalMail,
  type SignalUseChange,
  type SignalUseRow,
  type SignalUseState,
  SignalUses,
  setSignalActions,
  updateSignalUse,
} from './signal-uses.js';
export {
  insertSignal,
  insertSignalDoor,
  type NewSignal,
  purgeSignals,
  type SignalQuery,
  type SignalRow,
  SignalTable,
} from './signals.js';
export { dropStopWatch, putStopWatch, type StopWatch, StopWatches } from './stop-watches.js';
export { metaStep, readMeta, Store, type StoreOptions } from './store.js';
export { markTold, Tellings, TOLD } from './tellings.js';
export {
  insertTimer,
  type NewTimer,
  purgeTimers,
  type TimerKind,
  type TimerRow,
  type TimerState,
  Timers,
  updateTimer,
} from './timers.js';
export type { Step, StepResult } from './writer.js';
