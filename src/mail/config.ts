// What a user may set, with what holds where nothing is set. Times are milliseconds. The one object of a daemon is changed in
// place when the file is: read a value at the moment of use.
import type { PastDraft } from '../store/index.js';

export interface Webhook {
  url: string;
  // What is sent there is signed with it.
  secret?: string | undefined;
}

// What a state of a signal asks of whoever sees it.
export interface SignalStateRules {
  urgency: 'low' | 'normal' | 'high';
  // Somebody should look.
  attention: boolean;
}

export type SignalEffect =
  | { kind: 'desktop' }
  | { kind: 'webhook'; hook: Webhook }
  // Never through a shell.
  | { kind: 'command'; argv: readonly string[]; timeoutMs: number }
  // `to` as for `sm send`, said by the session that signals; null: the words that hold where nothing is said.
  | { kind: 'mail'; to: string; text: string | null };

// What is done because of a signal.
export interface SignalAction {
  // These states; null: those that ask for attention.
  on: readonly string[] | null;
  // A name, an id, a pattern of names, or a group with its @.
  session: string;
  effect: SignalEffect;
}

// Who looks at the screen of an agent that signals nothing.
export interface Inference {
  by:
    | { kind: 'command'; argv: readonly string[] }
    // The key for it is in that variable of the daemon's environment; null: it needs none.
    | { kind: 'endpoint'; url: string; model: string; keyEnv: string | null };
  // A session that has printed nothing for so long is looked at.
  silenceMs: number;
  timeoutMs: number;
  budget: { count: number; perMs: number };
  // An answer that is less sure than this does not count.
  confidence: number;
}

export interface Config {
  // A draft that nobody has touched for this long is stale.
  inputStaleMs: number;
  // A person who pressed a key so recently is still typing.
  typingPauseMs: number;
  // For sessions and messages that say nothing else.
  pastDraft: PastDraft;
  // A person's keys never wait longer than this.
  holdMaxMs: number;
  // A note in the status line of tmux after a delivery past a draft.
  tellPerson: boolean;
  // How long drafts are kept.
  draftRetentionMs: number;
  // Agents on which the interrupt-and-diff protocol may be used.
  interruptAndDiff: readonly string[];
  // Agents are told what mail is when they start.
  brief: boolean;
  // Agents' own ways in are used; otherwise everything goes through the input box.
  doors: boolean;
  // The longest time between two looks where no event tells that something changed.
  inputPollMs: number;
  // A message that says nothing else expires after this; 0: never.
  defaultTimeoutMs: number;
  // So many messages go as one delivery at most.
  maxBatchSize: number;
  // After so many failed attempts a message goes to the dead letters.
  maxAttempts: number;
  // So many messages may wait for one session.
  queueLimit: number;
  // Where mail to a person is told, beside the inbox.
  webhooks: readonly Webhook[];
  desktopNotes: boolean;
  // The command line of the agent that `sm spawn` starts.
  spawnAgent: readonly string[];
  // What is over for longer than this is deleted; 0: never.
  historyDays: number;
  // States of signals beside those that there are, or in place of them.
  signalStates: Readonly<Record<string, SignalStateRules>>;
  // What an agent reported so recently is not overruled by what is inferred.
  signalFreshMs: number;
  // At which address of this machine the dashboard can be reached, beside loopback.
  listenHost: string;
  // Names (with their port) by which browsers may know it.
  dashboardNames: readonly string[];
  signalActions: readonly SignalAction[];
  // Null: off.
  inference: Inference | null;
}

const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;

export const DEFAULT_CONFIG: Config = {
  inputStaleMs: 120 * SECOND,
  typingPauseMs: 2 * SECOND,
  pastDraft: 'auto',
  holdMaxMs: 3 * SECOND,
  tellPerson: true,
  draftRetentionMs: 30 * DAY,
  interruptAndDiff: [],
  brief: true,
  doors: true,
  inputPollMs: 5 * SECOND,
  defaultTimeoutMs: 0,
  maxBatchSize: 10,
  maxAttempts: 8,
  queueLimit: 1000,
  webhooks: [],
  desktopNotes: true,
  spawnAgent: ['claude'],
  historyDays: 90,
  signalStates: {},
  signalFreshMs: 600 * SECOND,
  listenHost: '127.0.0.1',
  dashboardNames: [],
  signalActions: [],
  inference: null,
};

interface Says {
  past_draft: PastDraft | null;
}

// The nearest that says something: the message, then its session, then the configuration.
export const pastDraftOf = (message: Says | null, session: Says, config: Config): PastDraft =>
  message?.past_draft ?? session.past_draft ?? config.pastDraft;
