// Mail: the post office and its words.
export { MailError } from './errors.js';
export type { LedgerEntry } from './ledger.js';
export { heldOf } from './lifecycle.js';
export { BEST_RECEIPT, type Plan, PostOffice, type Sender, type SenderClaim } from './post-office.js';
