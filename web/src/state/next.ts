// What the page knows after an event. Pure; what did not change stays the same object, so that nothing is drawn again for it.
import type { FeedDraft, FeedEvent, FeedMessage, Message, Session } from '../../../src/api/types.js';
import type { InboxMail, Loaded, Mail, State, StateEvent } from './model.js';

// More than this are not kept: the oldest of those that are over go.
export const MOST_MESSAGES = 4000;
// Likewise: the oldest that are read go.
export const MOST_INBOX = 2000;

export function next(state: State, event: StateEvent): State {
  switch (event.type) {
    case 'link':
      return { ...state, link: event.link };
    case 'loaded':
      return loaded(state, event.loaded);
    case 'feed':
      return fed(state, event.event);
    case 'messages':
      return { ...state, messages: answered(state.messages, event.messages, event.asked) };
    case 'inbox':
      return { ...state, inbox: withInbox(state.inbox, event.items) };
    case 'session':
      return withSession(state, event.session);
  }
}

function loaded(state: State, all: Loaded): State {
  const sessions = byId(all.sessions.map((one) => sameOr(state.sessions[one.id], one)));
  return {
    ...state,
    isLoaded: true,
    isPaused: all.isPaused,
    unread: all.inbox.unread,
    sessions,
    messages: { ...settledOf(state.messages), ...byId<Mail>(all.messages) },
    queueTurn: state.queueTurn + 1,
    drafts: byId(all.drafts),
    inbox: withInbox(state.inbox, all.inbox.items),
    screens: Object.fromEntries(Object.entries(state.screens).filter(([id]) => id in sessions)),
    signals: all.signals,
  };
}

function fed(state: State, event: FeedEvent): State {
  switch (event.type) {
    case 'session':
      return withSession(state, event.session);
    case 'session-removed': {
      const { [event.id]: _gone, ...sessions } = state.sessions;
      const { [event.id]: _screen, ...screens } = state.screens;
      return { ...state, sessions, screens };
    }
    case 'message':
      return withMessage(state, event.message, event.event.kind);
    case 'draft':
      return { ...state, drafts: withDraft(state.drafts, event.draft) };
    case 'inbox':
      return withInboxItem(state, { ...event.item, text: state.inbox[event.item.id]?.text ?? null });
    case 'signal': {
      const session = state.sessions[event.signal.session.id];
      const { seq, state: word, message, door, at } = event.signal;
      if (!session || session.signal_seq >= seq) return state;
      return withSession(state, {
        ...session,
        signal_seq: seq,
        nudge_seq: seq,
        signal_state: word,
        nudge_state: word,
        signal_message: message,
        signal_door: door,
        signal_at: at,
      });
    }
    case 'screen':
      return { ...state, screens: { ...state.screens, [event.session]: event.seq } };
    case 'pause':
      return state.isPaused === event.paused ? state : { ...state, isPaused: event.paused };
    default:
      return state;
  }
}

function withSession(state: State, session: Session): State {
  const kept = sameOr(state.sessions[session.id], session);
  if (kept === state.sessions[session.id]) return state;
  return { ...state, sessions: { ...state.sessions, [session.id]: kept } };
}

// One that is where it belongs is not kept; the object is another all the same, for views that list them.
function withDraft(drafts: State['drafts'], draft: FeedDraft): State['drafts'] {
  const { [draft.id]: _before, ...others } = drafts;
  const isOpen = draft.state === 'saved' || draft.state === 'differs';
  return isOpen ? { ...others, [draft.id]: draft } : others;
}

// What changes the order of a queue without a change of state.
const REORDERS = ['moved', 'changed'];

function withMessage(state: State, message: FeedMessage, kind: string): State {
  const before = state.messages[message.id];
  const mail: Mail = { ...message, text: before?.text ?? null };
  const messages = pruned({ ...state.messages, [message.id]: mail });
  const movesQueue = before?.state !== mail.state || REORDERS.includes(kind);
  return { ...state, messages, queueTurn: state.queueTurn + (movesQueue ? 1 : 0) };
}

function withInboxItem(state: State, item: InboxMail): State {
  const wasUnread = state.inbox[item.id]?.read_at === null;
  const isUnread = item.read_at === null;
  // Of one that was never seen here and comes as read it is known that it was unread before.
  const change = isUnread ? (wasUnread ? 0 : 1) : item.id in state.inbox && !wasUnread ? 0 : -1;
  const unread = Math.max(0, state.unread + change);
  // And that it is older than all that was asked for.
  if (!isUnread && !(item.id in state.inbox)) return { ...state, unread };
  return { ...state, unread, inbox: keptInbox({ ...state.inbox, [item.id]: item }) };
}

// An answer may be older than what the feed has told since it was asked for: of such messages it gives the text alone.
function answered(
  messages: State['messages'],
  answer: readonly Message[],
  asked: State['messages'],
): State['messages'] {
  const taken = answer.flatMap((message): Mail[] => {
    const now = messages[message.id];
    if (now === asked[message.id]) return [message];
    if (now) return [{ ...now, text: message.text }];
    // Forgotten meanwhile, which happens to what is over.
    return isOver(message.state) ? [message] : [];
  });
  return { ...messages, ...byId(taken) };
}

// Read once is read: an answer that says otherwise is older.
function withInbox(inbox: State['inbox'], items: readonly InboxMail[]): State['inbox'] {
  const newer = items.map((item) => ({ ...item, read_at: item.read_at ?? inbox[item.id]?.read_at ?? null }));
  return keptInbox({ ...inbox, ...byId(newer) });
}

function keptInbox(inbox: State['inbox']): State['inbox'] {
  const all = Object.values(inbox);
  if (all.length <= MOST_INBOX) return inbox;
  const read = all.filter(({ read_at }) => read_at !== null).sort(byAge);
  const gone = new Set(read.slice(0, all.length - MOST_INBOX * 0.9).map(({ id }) => id));
  return byId(all.filter(({ id }) => !gone.has(id)));
}

// What waited when we last heard may have gone on unheard: it counts only if it is named again.
const settledOf = (messages: State['messages']): State['messages'] =>
  byId(Object.values(messages).filter(({ state }) => isOver(state)));

function pruned(messages: State['messages']): State['messages'] {
  const all = Object.values(messages);
  if (all.length <= MOST_MESSAGES) return messages;
  const over = all.filter(({ state }) => isOver(state)).sort(byAge);
  const gone = new Set(over.slice(0, all.length - MOST_MESSAGES * 0.9).map(({ id }) => id));
  return byId(all.filter(({ id }) => !gone.has(id)));
}

export const isOver = (state: Mail['state']): boolean =>
  state !== 'pending' && state !== 'attempting' && state !== 'accepted';

const byAge = (a: { created_at: string }, b: { created_at: string }): number =>
  a.created_at < b.created_at ? -1 : 1;

const byId = <T extends { id: string }>(all: readonly T[]): Record<string, T> =>
  Object.fromEntries(all.map((one) => [one.id, one]));

// A session is told whole whenever something of it may have changed.
const sameOr = <T>(before: T | undefined, after: T): T =>
  before !== undefined && JSON.stringify(before) === JSON.stringify(after) ? before : after;
