// Mail: the post office and its words.
export { type Config, DEFAULT_CONFIG, pastDraftOf } from './config.js';
export { DraftDesk } from './draft-desk.js';
export { MailError } from './errors.js';
export { Keeper } from './keeper.js';
export type { LedgerEntry } from './ledger.js';
export { heldOf } from './lifecycle.js';
export { BEST_RECEIPT, type Plan, PostOffice, type Sender, type SenderClaim } from './post-office.js';
export { type Trial, type Ways, waysOf } from './ways.js';
