// What the page knows after an event: changes only what changed, and never goes back.
import { expect, test } from 'vitest';
import type { FeedDraft, FeedMessage, InboxItem, Message, Signal } from '../../../src/api/types.js';
import { sessionLike } from '../sessions/session-like.js';
import { EMPTY, type Loaded, type State, type StateEvent } from './model.js';
import { MOST_INBOX, MOST_MESSAGES, next } from './next.js';

const after = (events: readonly StateEvent[], from: State = EMPTY): State => events.reduce(next, from);

const message = (given: Partial<Message> = {}): Message => ({
  id: 'm1',
  to: { id: 'a', name: 'a' },
  from: { id: null, name: 'user' },
  text: 'hello',
  command: false,
  mode: 'sequential',
  as: 'prompt',
  surety: 'at_most_once',
  past_draft: null,
  state: 'pending',
  receipt: 'queued',
  held: null,
  held_detail: null,
  attempts: 0,
  failures: 0,
  expires_at: null,
  when: 'now',
  in_reply_to: null,
  thread: 'm1',
  queue_position: 1,
  created_at: '2026-01-01T00:00:00.000Z',
  settled_at: null,
  ...given,
});

const loaded = (given: Partial<Loaded> = {}): StateEvent => ({
  type: 'loaded',
  loaded: {
    sessions: [],
    messages: [],
    drafts: [],
    inbox: { items: [], unread: 0 },
    isPaused: false,
    signals: {},
    ...given,
  },
});

const told = (given: Partial<Message>): StateEvent => {
  const { text: _text, queue_position: _position, ...rest } = message(given);
  const event = { seq: 1, at: rest.created_at, kind: 'queued', data: {} };
  return { type: 'feed', event: { type: 'message', message: rest satisfies FeedMessage, event } };
};

const signal = (seq: number, state: string): StateEvent => ({
  type: 'feed',
  event: {
    type: 'signal',
    signal: {
      ordinal: seq,
      session: { id: 'a', name: 'a' },
      seq,
      state,
      message: 'look',
      id: null,
      door: 'command',
      at: '2026-01-02T00:00:00.000Z',
      confidence: null,
      urgency: 'high',
      attention: true,
    } satisfies Signal,
  },
});

const item = (given: Partial<InboxItem>): InboxItem => ({
  id: 'i',
  from: { id: 'a', name: 'a' },
  text: 'words',
  mode: 'sequential',
  in_reply_to: null,
  thread: 'i',
  created_at: '2026-01-01T00:00:00.000Z',
  read_at: null,
  ...given,
});

const a = sessionLike({ id: 'a' });
const b = sessionLike({ id: 'b' });

test('a session told again as it was stays the same object, and so do its neighbours', () => {
  const before = after([loaded({ sessions: [a, b] })]);
  expect(after([{ type: 'feed', event: { type: 'session', session: { ...a } } }], before)).toBe(before);
  const changed = after(
    [{ type: 'feed', event: { type: 'session', session: { ...a, pending: 1 } } }],
    before,
  );
  expect(changed.sessions.b).toBe(before.sessions.b);
  expect(changed.sessions.a?.pending).toBe(1);
});

test('a session that is removed is gone, with its screen', () => {
  const state = after([
    loaded({ sessions: [a, b] }),
    { type: 'feed', event: { type: 'screen', session: 'a', seq: 3 } },
    { type: 'feed', event: { type: 'session-removed', id: 'a', name: 'a' } },
  ]);
  expect([Object.keys(state.sessions), state.screens]).toEqual([['b'], {}]);
});

test('a receipt climbs, and the text that is known stays', () => {
  const state = after([loaded({ messages: [message()] }), told({ receipt: 'submitted', state: 'settled' })]);
  expect(state.messages.m1).toMatchObject({ receipt: 'submitted', text: 'hello' });
  expect(after([told({ id: 'm2' })], state).messages.m2?.text).toBeNull();
});

test('an answer that was asked for before the feed told more does not take it back, and brings the text', () => {
  const before = after([loaded(), told({})]);
  const went = after([told({ receipt: 'received', state: 'settled' })], before);
  const answer: StateEvent = { type: 'messages', messages: [message()], asked: before.messages };
  expect(after([answer], went).messages.m1).toMatchObject({ receipt: 'received', text: 'hello' });
  // One that nothing has been told of since is taken as it is.
  const held: StateEvent = {
    type: 'messages',
    messages: [message({ held: 'draft' })],
    asked: before.messages,
  };
  expect(after([held], before).messages.m1).toMatchObject({ held: 'draft', text: 'hello' });
});

test('an answer does not bring back a message that waited and is forgotten; one that is over it does', () => {
  const before = after([loaded({ messages: [message()] })]);
  const anew = after([loaded()], before);
  const answer = (state: Message['state']): StateEvent => ({
    type: 'messages',
    messages: [message({ state })],
    asked: before.messages,
  });
  expect(after([answer('pending')], anew).messages).toEqual({});
  expect(after([answer('settled')], anew).messages.m1?.state).toBe('settled');
});

test('a draft is known while it is not back; that something became of it is always a change', () => {
  const draft = (state: FeedDraft['state']): StateEvent => ({
    type: 'feed',
    event: { type: 'draft', draft: { id: 'd', session: { id: 'a', name: 'a' }, state } as FeedDraft },
  });
  const saved = after([loaded(), draft('saved')]);
  expect(Object.keys(saved.drafts)).toEqual(['d']);
  const back = after([draft('restored')], saved);
  expect(back.drafts).toEqual({});
  expect(after([draft('taken')], back).drafts).not.toBe(back.drafts);
});

test('the order of what waits may have changed when something begins or ends to wait', () => {
  const before = after([loaded({ messages: [message()] })]);
  const held = after([told({ held: 'draft' })], before);
  expect(held.queueTurn).toBe(before.queueTurn);
  expect(after([told({ state: 'settled' })], held).queueTurn).toBe(before.queueTurn + 1);
});

test('what waited before everything was asked for anew counts only if it is named again', () => {
  const before = after([loaded({ messages: [message(), message({ id: 'm2', state: 'settled' })] })]);
  expect(Object.keys(after([loaded()], before).messages)).toEqual(['m2']);
});

test('a signal is known at once, and an older one changes nothing', () => {
  const state = after([loaded({ sessions: [a] }), signal(2, 'needs_input')]);
  expect(state.sessions.a).toMatchObject({ signal_seq: 2, signal_state: 'needs_input', nudge_seq: 2 });
  expect(after([signal(1, 'working')], state)).toBe(state);
});

test('unread mail is counted up when it comes and down when it is read', () => {
  const come = after([loaded(), { type: 'feed', event: { type: 'inbox', item: item({}) } }]);
  expect(come.unread).toBe(1);
  const read: StateEvent = {
    type: 'feed',
    event: { type: 'inbox', item: item({ read_at: '2026-01-02T00:00:00.000Z' }) },
  };
  expect(after([read], come).unread).toBe(0);
  expect(after([read, read], come).unread).toBe(0);
});

test('mail that was read stays so, whatever an older answer says', () => {
  const read = after([{ type: 'inbox', items: [item({ read_at: '2026-01-02T00:00:00.000Z' })] }]);
  expect(after([{ type: 'inbox', items: [item({})] }], read).inbox.i?.read_at).not.toBeNull();
});

test('old mail that is read elsewhere is counted and not listed: nobody asks for the texts of hundreds', () => {
  const before = after([loaded({ inbox: { items: [], unread: 3 } })]);
  const read = item({ read_at: '2026-01-02T00:00:00.000Z' });
  const state = after([{ type: 'feed', event: { type: 'inbox', item: read } }], before);
  expect([state.unread, state.inbox]).toEqual([2, {}]);
});

test('of very much mail to the person the oldest that is read goes', () => {
  const many = Array.from({ length: MOST_INBOX + 1 }, (_, n) =>
    item({ id: `x${n}`, created_at: `2026-01-01T00:${10_000 + n}`, read_at: n === 0 ? null : 'then' }),
  );
  const { inbox } = after([{ type: 'inbox', items: many }]);
  expect(Object.keys(inbox).length).toBeLessThan(MOST_INBOX);
  expect('x0' in inbox && !('x1' in inbox) && `x${MOST_INBOX}` in inbox).toBe(true);
});

test('of very many messages the oldest that are over go, and none that waits', () => {
  const many = Array.from({ length: MOST_MESSAGES }, (_, n) =>
    message({ id: `x${n}`, state: n === 0 ? 'pending' : 'settled', created_at: `2026-01-01T00:${1000 + n}` }),
  );
  const state = after([loaded({ messages: many }), told({ id: 'new' })]);
  expect(Object.keys(state.messages).length).toBeLessThan(MOST_MESSAGES);
  expect('x0' in state.messages && 'new' in state.messages && !('x1' in state.messages)).toBe(true);
});
