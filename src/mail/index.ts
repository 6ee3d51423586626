// Mail: the post office and its words.
export { type Config, DEFAULT_CONFIG, pastDraftOf } from './config.js';
export { DraftDesk } from './draft-desk.js';
export { MailError } from './errors.js';
export { faultFrom } from './faults.js';
export { Keeper } from './keeper.js';
export { type HeldReason, heldOf, isAtLeast } from './lifecycle.js';
export type { Plan } from './plans.js';
export { PostOffice } from './post-office.js';
export { speaksAs, suretyOf } from './rules.js';
export type { Sender } from './senders.js';
export { type Beside, type Key, printOf, type SendOptions, type Sent } from './sending.js';
export { type Trial, type Ways, waysOf } from './ways.js';
