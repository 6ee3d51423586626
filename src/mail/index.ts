// Mail: the post office and its words.

export { type Addressee, isReserved, matches, resolveTo } from './addresses.js';
export { Alarm, type Clockwork } from './alarm.js';
export { Clerk } from './clerk.js';
export {
  type Config,
  DEFAULT_CONFIG,
  type Inference,
  pastDraftOf,
  type SignalAction,
  type SignalEffect,
  type SignalStateRules,
  type Webhook,
} from './config.js';
export { DesktopNotes } from './desktop-notes.js';
export { DraftDesk } from './draft-desk.js';
export { MailError } from './errors.js';
export { type Fault, faultFrom } from './faults.js';
export { Handling, isNotice } from './handling.js';
export { IdleWait } from './idle-wait.js';
export { journalName } from './journal.js';
export { Keeper } from './keeper.js';
export type { Ledger } from './ledger.js';
export { type HeldReason, heldOf, isAtLeast } from './lifecycle.js';
export { type InboxEvent, People } from './people.js';
export { type Plan, refusalOf } from './plans.js';
export { PostOffice } from './post-office.js';
export type { Reminders } from './reminders.js';
export { speaksAs, suretyOf } from './rules.js';
export { type Sender, senderPresent } from './senders.js';
export { type Beside, type Key, printOf, type SendOptions, type Sent } from './sending.js';
export type { Speaker } from './speaker.js';
export { type Trial, type Ways, waysOf } from './ways.js';
export { hookName, postWebhook } from './webhook-post.js';
export { Webhooks } from './webhooks.js';
