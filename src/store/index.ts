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
export { StoreError, Unmet } from './errors.js';
export { History, type HistoryPage, type StoredMessage } from './history.js';
export { type HomeLock, lockHome } from './lock.js';
export {
  cancelWaiting,
  type EventRow,
  type Folded,
  insertEvent,
  insertMessage,
  type MessagePhase,
  type MessageRow,
  Messages,
  type Mode,
  type NewMessage,
  purgeMessages,
  type ReceiptLevel,
  type Speaks,
  type Surety,
  updateFolded,
} from './messages.js';
export {
  insertSession,
  purgeSessions,
  type SessionPhase,
  type SessionRow,
  SessionTable,
  updateSession,
} from './sessions.js';
export { metaStep, readMeta, Store, type StoreOptions } from './store.js';
export type { Step, StepResult } from './writer.js';
