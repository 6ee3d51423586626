// Mail: the post office and its words.
export { type Addressee, isReserved, resolveTo } from './addresses.js';
export { type Config, DEFAULT_CONFIG, pastDraftOf } from './config.js';
export { DesktopNotes } from './desktop-notes.js';
export { speaksAs } from './door-way.js';
export { DraftDesk } from './draft-desk.js';
export { MailError } from './errors.js';
export { Handling, isNotice } from './handling.js';
export { IdleWait } from './idle-wait.js';
export { Keeper } from './keeper.js';
export { heldOf } from './lifecycle.js';
export { type InboxEvent, People } from './people.js';
export { type Plan, refusalOf } from './plans.js';
export { PostOffice } from './post-office.js';
export { suretyOf } from './receipts.js';
export type { Sender } from './senders.js';
export { type Beside, type Key, printOf, type SendOptions, type Sent } from './sending.js';
export { type Trial, type Ways, waysOf } from './ways.js';
export { Webhooks } from './webhooks.js';
