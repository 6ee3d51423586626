// All that the page knows of the daemon, as data.
import type {
  FeedDraft,
  FeedEvent,
  FeedInboxItem,
  FeedMessage,
  InboxItem,
  Message,
  Session,
} from '../../../src/api/types.js';
import { CONNECTING, type Link } from '../api/link.js';
import type { SignalRules } from '../sessions/need.js';

// A message as the feed tells it has no text: that is asked for when it is shown.
export type Mail = FeedMessage & { text: string | null };
export type InboxMail = FeedInboxItem & { text: string | null };

export interface State {
  link: Link;
  isLoaded: boolean;
  isPaused: boolean;
  unread: number;
  sessions: Readonly<Record<string, Session>>;
  messages: Readonly<Record<string, Mail>>;
  // What changes whenever the order of what waits may have.
  queueTurn: number;
  drafts: Readonly<Record<string, FeedDraft>>;
  inbox: Readonly<Record<string, InboxMail>>;
  // The number of the last change of each screen.
  screens: Readonly<Record<string, number>>;
  // What a signal's state means; the user may have added some.
  signals: Readonly<Record<string, SignalRules>>;
}

export const EMPTY: State = {
  link: CONNECTING,
  isLoaded: false,
  isPaused: false,
  unread: 0,
  sessions: {},
  messages: {},
  queueTurn: 0,
  drafts: {},
  inbox: {},
  screens: {},
  signals: {},
};

export interface Loaded {
  sessions: readonly Session[];
  messages: readonly Message[];
  drafts: readonly FeedDraft[];
  inbox: { items: readonly InboxItem[]; unread: number };
  isPaused: boolean;
  signals: Readonly<Record<string, SignalRules>>;
}

export type StateEvent =
  | { type: 'link'; link: Link }
  // Everything, as it is now.
  | { type: 'loaded'; loaded: Loaded }
  | { type: 'feed'; event: FeedEvent }
  // What a view asked for. `asked`: what was known of messages when it did, since the feed may have told more meanwhile.
  | { type: 'messages'; messages: readonly Message[]; asked: State['messages'] }
  | { type: 'inbox'; items: readonly InboxItem[] }
  | { type: 'session'; session: Session };
