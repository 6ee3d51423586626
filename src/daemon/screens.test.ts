// Changes of screens are told at most once a second for each session, the last one always, and only while somebody listens.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Registry, RegistryEvent } from '../sessions/index.js';
import { Emitter } from '../tmux/index.js';
import { Screens } from './screens.js';

const events = new Emitter<RegistryEvent>();
const session = { id: 's', tracker: { changes: 1 } as { changes: number } | undefined };
let screens: Screens;
let told: number[];
const stir = (changes: number): void => {
  session.tracker = { changes };
  events.fire({ type: 'stirred', session } as unknown as RegistryEvent);
};

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  screens = new Screens({ onEvent: events.event } as unknown as Registry);
});
afterEach(() => void vi.useRealTimers());

const subscribe = () => screens.subscribe(({ seq }) => told.push(seq));

test('the first at once, of the rest the last when a second is over', () => {
  const listening = subscribe();
  for (const changes of [1, 2, 3]) stir(changes);
  expect(told).toEqual([1]);
  vi.advanceTimersByTime(999);
  stir(4);
  expect(told).toEqual([1]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual([1, 4]);
  listening.dispose();
});

test('what stirs and changes nothing is not told', () => {
  const listening = subscribe();
  stir(1);
  vi.advanceTimersByTime(1000);
  stir(1);
  vi.advanceTimersByTime(1000);
  session.tracker = undefined;
  events.fire({ type: 'stirred', session } as unknown as RegistryEvent);
  expect(told).toEqual([1]);
  listening.dispose();
});

test('nothing is followed without a listener, and nothing is left to be told', () => {
  expect(events.size).toBe(0);
  const [one, other] = [subscribe(), subscribe()];
  expect(events.size).toBe(1);
  stir(1);
  stir(2);
  one.dispose();
  expect([events.size, vi.getTimerCount()]).toEqual([1, 1]);
  other.dispose();
  expect([events.size, vi.getTimerCount()]).toEqual([0, 0]);
});

test('a session that is removed is forgotten', () => {
  const listening = subscribe();
  stir(1);
  stir(2);
  events.fire({ type: 'removed', session } as unknown as RegistryEvent);
  vi.advanceTimersByTime(2000);
  expect([told, vi.getTimerCount()]).toEqual([[1], 0]);
  listening.dispose();
});
