// The schemas as plain types, so that a client can use them without loading a validator.
import type { z } from '@hono/zod-openapi';
import type * as agents from './agent-schemas.js';
import type * as drafts from './draft-schemas.js';
import type * as hosts from './host-schemas.js';
import type * as messages from './message-schemas.js';
import type * as ops from './ops-schemas.js';
import type * as reminders from './reminder-schemas.js';
import type * as schemas from './schemas.js';
import type * as short from './short-schemas.js';
import type * as signIns from './sign-in-schemas.js';
import type * as signals from './signal-schemas.js';
import type * as talk from './talk-schemas.js';

export type Session = z.infer<typeof schemas.Session>;
export type Message = z.infer<typeof messages.Message>;
export type MessageEvent = z.infer<typeof messages.MessageEvent>;
export type MessageWait = z.infer<typeof messages.MessageWait>;
export type MessageWithEvents = z.infer<typeof messages.MessageWithEvents>;
export type Receipt = z.infer<typeof messages.Receipt>;
export type Plan = z.infer<typeof messages.Plan>;
export type SendRequest = z.input<typeof messages.SendRequest>;
export type SendResponse = z.infer<typeof messages.SendResponse>;
export type ChangeRequest = z.input<typeof messages.ChangeRequest>;
export type StartRequest = z.input<typeof talk.StartRequest>;
export type AdoptRequest = z.input<typeof schemas.AdoptRequest>;
export type Mode = z.infer<typeof messages.Mode>;
export type Speaks = z.infer<typeof messages.Speaks>;
export type Surety = z.infer<typeof messages.Surety>;
export type AgentStatus = z.infer<typeof schemas.AgentStatus>;
export type DoorInfo = z.infer<typeof schemas.DoorInfo>;
export type PaneInfo = z.infer<typeof schemas.PaneInfo>;
export type Status = z.infer<typeof schemas.Status>;
export type PastDraft = z.infer<typeof schemas.PastDraft>;
export type UpdateRequest = z.input<typeof schemas.UpdateRequest>;
export type Host = z.infer<typeof hosts.Host>;
export type HostCheck = z.infer<typeof hosts.HostCheck>;
export type HostRequest = z.input<typeof hosts.HostRequest>;
export type Draft = z.infer<typeof drafts.Draft>;
export type RestoredDraft = z.infer<typeof drafts.RestoredDraft>;
export type CopiedDraft = z.infer<typeof drafts.CopiedDraft>;
export type ConfigReport = z.infer<typeof drafts.ConfigReport>;
export type Way = z.infer<typeof drafts.Way>;
export type Finding = z.infer<typeof drafts.Finding>;
export type DoctorReport = z.infer<typeof drafts.DoctorReport>;
export type SignInLink = z.infer<typeof signIns.SignInLink>;
export type SignInRequest = z.infer<typeof signIns.SignInRequest>;
export type Exposure = z.infer<typeof signIns.Exposure>;
export type ExposeRequest = z.input<typeof signIns.ExposeRequest>;
export type SignedIn = z.infer<typeof signIns.SignedIn>;
export type Agent = z.infer<typeof agents.Agent>;
export type Hooks = z.infer<typeof agents.Hooks>;
export type Reminder = z.infer<typeof reminders.Reminder>;
export type RemindRequest = z.input<typeof reminders.RemindRequest>;
export type Backup = z.infer<typeof ops.Backup>;
export type Uninstalled = z.infer<typeof ops.Uninstalled>;
export type InboxItem = z.infer<typeof messages.InboxItem>;
export type Inbox = z.infer<typeof talk.Inbox>;
export type InboxRead = z.infer<typeof talk.InboxRead>;
export type ReplyRequest = z.input<typeof talk.ReplyRequest>;
export type ReplyResponse = z.infer<typeof talk.ReplyResponse>;
export type SessionWait = z.infer<typeof talk.SessionWait>;
export type SpawnRequest = z.input<typeof talk.SpawnRequest>;
export type SpawnResponse = z.infer<typeof talk.SpawnResponse>;
export type Group = z.infer<typeof talk.Group>;
export type GroupChange = z.input<typeof talk.GroupChange>;
export type EstimatedDelivery = z.infer<typeof short.EstimatedDelivery>;
export type ShortSendRequest = z.input<typeof short.ShortSendRequest>;
export type ShortSendResponse = z.infer<typeof short.ShortSendResponse>;
export type SendQueue = z.infer<typeof short.SendQueue>;
export type ShortRemindRequest = z.input<typeof short.ShortRemindRequest>;
export type ShortRemindResponse = z.infer<typeof short.ShortRemindResponse>;
export type Signal = z.infer<typeof signals.Signal>;
export type SignalRequest = z.input<typeof signals.SignalRequest>;
export type SignalResponse = z.infer<typeof signals.SignalResponse>;
export type Attention = z.infer<typeof signals.Attention>;
export type ApiErrorBody = z.infer<typeof schemas.ApiError>;

// A message as it goes by in the feed: its text and its place in the queue are asked for when they are wanted.
export type FeedMessage = Omit<Message, 'text' | 'queue_position'>;

// A draft as it goes by in the feed: never with what a person typed.
export type FeedDraft = Omit<Draft, 'text' | 'found' | 'caret'>;

// Mail to the person as it goes by in the feed.
export type FeedInboxItem = Omit<InboxItem, 'text'>;

// One server-sent event of `GET /api/v1/events`.
export type FeedEvent =
  | { type: 'session'; session: Session }
  | { type: 'session-removed'; id: string; name: string }
  | { type: 'message'; message: FeedMessage; event: MessageEvent }
  | { type: 'draft'; draft: FeedDraft }
  // Mail to the person has come, or was read.
  | { type: 'inbox'; item: FeedInboxItem }
  // An agent has reported something; each once.
  | { type: 'signal'; signal: Signal }
  | { type: 'pause'; paused: boolean }
  // The screen of a session has changed: at most once a second for each, to those who asked for it. Not repeated.
  | { type: 'screen'; session: string; seq: number }
  // What came between the given Last-Event-ID and now is no longer kept: ask for what is wanted.
  | { type: 'gap' };
