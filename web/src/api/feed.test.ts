// The feed of a page: one connection, taken for dead when nothing is heard of it, and gone on with where it was.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FeedEvent } from '../../../src/api/types.js';
import { Feed, LINE_DEAD, SILENT_MS } from './feed.js';

class FakeSocket {
  static all: FakeSocket[] = [];
  onopen: () => void = () => {};
  onmessage: (frame: { data: string }) => void = () => {};
  onclose: () => void = () => {};
  isClosed = false;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }
  // As on a dead line: nothing comes of it.
  close(): void {
    this.isClosed = true;
  }
  say(frame: unknown): void {
    this.onmessage({ data: JSON.stringify(frame) });
  }
}

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('location', { protocol: 'http:', host: 'here' });
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', new EventTarget());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function opened(): { feed: Feed; links: string[]; events: string[] } {
  const links: string[] = [];
  const events: string[] = [];
  const feed = new Feed({
    anew: () => events.push('anew'),
    take: ({ type }) => events.push(type),
    link: ({ at }) => links.push(at),
  });
  feed.start();
  FakeSocket.all[0]?.onopen();
  return { feed, links, events };
}

const event = (id: string): { id: string; event: FeedEvent } => ({
  id,
  event: { type: 'pause', paused: true },
});

test('a line on which nothing is heard is taken for dead, and another goes on behind the last event', async () => {
  const { links, events } = opened();
  FakeSocket.all[0]?.say(event('run-7'));
  await vi.advanceTimersByTimeAsync(SILENT_MS - 6000);
  expect(links).toEqual(['live']);
  await vi.advanceTimersByTimeAsync(12_000);
  expect(links.slice(0, 3)).toEqual(['live', 'broken', 'connecting']);
  expect(FakeSocket.all).toHaveLength(2);
  expect(FakeSocket.all[1]?.url).toContain('last_event_id=run-7');
  // What the dead one brings after all comes again over the other.
  FakeSocket.all[0]?.say(event('run-8'));
  FakeSocket.all[0]?.onclose();
  FakeSocket.all[1]?.onopen();
  FakeSocket.all[1]?.say(event('run-8'));
  expect(events).toEqual(['anew', 'pause', 'pause']);
  expect(links.at(-1)).toBe('live');
});

test('a word that it is alive keeps it, and is no event', async () => {
  const { links, events } = opened();
  for (let n = 0; n < 5; n++) {
    await vi.advanceTimersByTimeAsync(15_000);
    FakeSocket.all[0]?.say({ event: { type: 'alive' } });
  }
  expect([links, events]).toEqual([['live'], ['anew']]);
});

test('a page that wakes does not wait for its next look', () => {
  const { links } = opened();
  const dead = vi.fn();
  window.addEventListener(LINE_DEAD, dead);
  vi.setSystemTime(Date.now() + SILENT_MS);
  page.dispatchEvent(new Event('visibilitychange'));
  expect(links).toEqual(['live', 'broken', 'connecting']);
  expect(dead).toHaveBeenCalledOnce();
});

test('whoever signed in before it was started has one connection', () => {
  const feed = new Feed({ anew: () => {}, take: () => {}, link: () => {} });
  feed.signedOut();
  feed.signedIn();
  feed.start();
  expect(FakeSocket.all).toHaveLength(1);
});
