// A signal is heard once: over reloads, tabs, reconnects and restarts of the daemon; a new one is heard again.
import { beforeEach, expect, test } from 'vitest';
import type { Session } from '../../../src/api/types.js';
import { rulesFrom } from '../sessions/need.js';
import { sessionLike } from '../sessions/session-like.js';
import { callsOf } from './calls.js';
import { FakeShelf } from './fake-shelf.js';
import { Memory } from './memory.js';

const RULES = rulesFrom({ blocked: { urgency: 'high', attention: true } });

let shelf: FakeShelf;
beforeEach(() => {
  shelf = new FakeShelf();
});

const session = (signal_seq: number, signal_state: string | null, id = 'a'): Session =>
  sessionLike({ id, name: id, signal_seq, signal_state, signal_message: 'look' });

// A tab that is told of these sessions: what it sounds for.
function tab(...sessions: Session[]): string[] {
  const memory = new Memory(shelf);
  const heard = {
    acknowledged: (id: string) => memory.number('ack', id),
    isMuted: (id: string) => memory.isMuted(id),
  };
  const { loud, acknowledged } = callsOf(sessions, RULES, heard);
  for (const call of acknowledged) memory.raise('ack', call.session, call.seq);
  return loud.map((call) => `${call.session}${call.seq}`);
}

test('once: not after a reload, not in another tab, not when the same state is told again', () => {
  expect(tab(session(3, 'needs_input'))).toEqual(['a3']);
  expect(tab(session(3, 'needs_input'))).toEqual([]);
});

test('a new signal is heard, also with the same state', () => {
  tab(session(3, 'needs_input'));
  expect(tab(session(4, 'needs_input'))).toEqual(['a4']);
});

test('a daemon that comes back with what it had replays nothing; an older number neither', () => {
  tab(session(5, 'error'));
  expect(tab(session(5, 'error'))).toEqual([]);
  expect(tab(session(4, 'error'))).toEqual([]);
});

test('states that want no attention are silent, and those that a user added count', () => {
  expect(tab(session(1, 'working'), session(1, null, 'b'), session(1, 'blocked', 'c'))).toEqual(['c1']);
});

test('a muted session is silent, and what was said meanwhile is not made up for', () => {
  new Memory(shelf).setMuted('a', true);
  expect(tab(session(1, 'error'))).toEqual([]);
  new Memory(shelf).setMuted('a', false);
  expect(tab(session(1, 'error'))).toEqual([]);
  expect(tab(session(2, 'error'))).toEqual(['a2']);
});

test('what an agent reported before it went on is not called out any more, nor later', () => {
  const over = sessionLike({
    id: 'a',
    signal_seq: 1,
    signal_state: 'needs_input',
    signal_at: '2026-01-01T00:00:00.000Z',
    went_on_at: '2026-01-01T00:00:01.000Z',
  });
  expect(tab(over)).toEqual([]);
  expect(tab(session(1, 'needs_input'))).toEqual([]);
});

test('a session is forgotten with all that is remembered of it; the others and what is not ours stay', () => {
  tab(session(1, 'error'), session(1, 'error', 'b'));
  const memory = new Memory(shelf);
  memory.setMuted('b', true);
  shelf.set('theme', 'dark');
  expect([...memory.sessions()].sort()).toEqual(['a', 'b']);
  memory.forget('b');
  expect([...shelf.keys()].sort()).toEqual(['sm:ack:a', 'theme']);
});

test('numbers only grow, and what is no number counts as none', () => {
  const memory = new Memory(shelf);
  memory.raise('seen', 'a', 7);
  memory.raise('seen', 'a', 5);
  expect(memory.number('seen', 'a')).toBe(7);
  shelf.set('sm:ack:a', 'nonsense');
  expect(memory.number('ack', 'a')).toBe(0);
});

test('a browser that forbids it remembers nothing and breaks nothing', () => {
  const refuse = (): never => {
    throw new Error('denied');
  };
  const memory = new Memory({ length: 1, key: refuse, getItem: refuse, setItem: refuse, removeItem: refuse });
  memory.raise('ack', 'a', 1);
  memory.setMuted('a', true);
  memory.forget('a');
  expect([memory.number('ack', 'a'), memory.isMuted('a'), memory.sessions().size]).toEqual([0, false, 0]);
});
