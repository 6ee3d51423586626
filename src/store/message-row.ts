// A message and what happened to it, as they are on disk.
import type { PastDraft } from './drafts.js';

// `accepted`: in the agent's own queue; the agent has not shown it yet. `dead`: given up after too many failures.
export type MessagePhase =
  | 'pending'
  | 'attempting'
  | 'accepted'
  | 'settled'
  | 'cancelled'
  | 'expired'
  | 'dead';
export type Mode = 'sequential' | 'important' | 'urgent';
export type Speaks = 'prompt' | 'notice';
export type Surety = 'at_least_once' | 'at_most_once';
export type ReceiptLevel = 'queued' | 'typed' | 'submitted' | 'received' | 'done';

export interface MessageRow {
  seq: number;
  id: string;
  recipient: string;
  recipient_name: string;
  sender_session: string | null;
  sender_name: string;
  text: string;
  command: 0 | 1;
  mode: Mode;
  // Of its mode, among those that wait.
  rank: number;
  created_at: number;
  // Null: as its session says.
  past_draft: PastDraft | null;
  // Null: as its sender is a person or an agent.
  speaks: Speaks | null;
  surety: Surety | null;
  // Not delivered later than this.
  expires_at: number | null;
  when_idle: 0 | 1;
  force: 0 | 1;
  notify_delivery: 0 | 1;
  // Milliseconds after its delivery.
  notify_after: number | null;
  notify_stop: 0 | 1;
  quiet: 0 | 1;
  in_reply_to: string | null;
  // The first message of its conversation; itself, where it began one.
  thread: string;
  turn: string | null;
  state: MessagePhase;
  receipt: ReceiptLevel;
  attempts: number;
  failures: number;
  // Until then its next attempt waits.
  not_before: number | null;
  // The message in whose attempt it goes along.
  lead: string | null;
  held: string | null;
  settled_at: number | null;
  // Its place in the queue of its recipient, where the query counted it.
  position?: number;
}

export interface EventRow {
  seq: number;
  message_id: string;
  at: number;
  kind: string;
  data: string;
}

export interface NewMessage {
  id: string;
  recipient: string;
  senderSession: string | null;
  senderName: string;
  text: string;
  command: boolean;
  mode: Mode;
  pastDraft: PastDraft | null;
  speaks: Speaks | null;
  surety: Surety | null;
  expiresAt: number | null;
  whenIdle: boolean;
  force: boolean;
  notify: Notify;
  inReplyTo: string | null;
  thread: string;
  createdAt: number;
}

// What a sender wants to hear of.
export interface Notify {
  onDelivery: boolean;
  // Milliseconds after the delivery.
  after: number | null;
  onStop: boolean;
  // Not even that it expired or became a dead letter.
  quiet: boolean;
}

// The part of a row that is folded from the events.
export type Folded = Pick<
  MessageRow,
  'state' | 'receipt' | 'attempts' | 'failures' | 'not_before' | 'lead' | 'held' | 'settled_at' | 'turn'
>;
