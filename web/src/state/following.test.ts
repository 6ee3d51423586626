// What the browser remembers of a session goes when the daemon says that the session is no more, and never before.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeShelf } from '../attention/fake-shelf.js';
import { Memory } from '../attention/memory.js';
import { sessionLike } from '../sessions/session-like.js';
import { Following } from './following.js';
import type { Loaded } from './model.js';
import { Store } from './store.js';

const all = (...ids: string[]): Loaded => ({
  sessions: ids.map((id) => sessionLike({ id })),
  messages: [],
  drafts: [],
  inbox: { items: [], unread: 0 },
  isPaused: false,
  signals: {},
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('an answer makes it forget what was remembered before it was asked for, and not what came meanwhile', async () => {
  const memory = new Memory(new FakeShelf());
  memory.raise('ack', 'kept', 1);
  memory.raise('ack', 'ended', 1);
  let answer = (_loaded: Loaded): void => {};
  const asked = new Promise<Loaded>((resolve) => {
    answer = resolve;
  });
  const { feed } = new Following(new Store(), memory, () => asked);
  feed.listener.anew();
  // Another tab hears of it now.
  memory.raise('ack', 'new', 1);
  answer(all('kept'));
  await vi.runAllTimersAsync();
  expect([...memory.sessions()].sort()).toEqual(['kept', 'new']);
});

test('a tab whose list is old forgets nothing by it; one that is removed is forgotten', async () => {
  const memory = new Memory(new FakeShelf());
  const { feed } = new Following(new Store(), memory, async () => all('a', 'b'));
  feed.listener.anew();
  await vi.runAllTimersAsync();
  // Of this one the tab has not heard yet.
  for (const id of ['a', 'b', 'x']) memory.raise('seen', id, 1);
  feed.listener.take({ type: 'session-removed', id: 'a', name: 'a' });
  await vi.runAllTimersAsync();
  expect([...memory.sessions()].sort()).toEqual(['b', 'x']);
});
