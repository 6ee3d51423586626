import { expect, test } from 'vitest';
import type { Mode } from '../store/index.js';
import { LONGEST_RETRY_MS } from './failing.js';
import { type Circumstances, firstInLine } from './turn-in-line.js';

interface Waiting {
  id: string;
  mode: Mode;
  when_idle: 0 | 1;
  not_before: number | null;
  failures: number;
  sender_session: string | null;
  sender_name: string;
  created_at: number;
}

const FACTS: Circumstances = {
  now: 10_000,
  status: { state: 'busy', source: 'hook' },
  busySince: null,
  lastOutputAt: 9_000,
};
const row = (id: string, sender: string, more: Partial<Waiting> = {}): Waiting => ({
  id,
  mode: 'sequential',
  when_idle: 0,
  not_before: null,
  failures: 0,
  sender_session: sender,
  sender_name: sender,
  created_at: 0,
  ...more,
});
const turn = (queue: Waiting[], facts: Partial<Circumstances> = {}): string => {
  const first = firstInLine(queue, { ...FACTS, ...facts });
  return first ? `${first.message.id}${'hold' in first ? ` ${first.hold.reason}` : ''}` : 'none';
};

test('the first goes first', () => {
  expect(turn([row('1', 'a'), row('2', 'b')])).toBe('1');
  expect(turn([])).toBe('none');
});

test('mail for an idle agent lets others go first, but nothing of its own sender', () => {
  const queue = [row('1', 'a', { when_idle: 1 }), row('2', 'a'), row('3', 'b')];
  expect(turn(queue)).toBe('3');
  expect(turn(queue.slice(0, 2))).toBe('1 not_idle');
  expect(turn(queue, { status: { state: 'idle', source: 'hook' } })).toBe('1');
});

test('where nothing tells of idleness, silence does', () => {
  const unknown = { status: { state: 'busy', source: 'screen' } } as const;
  const queue = [row('1', 'a', { when_idle: 1 })];
  expect(turn(queue, unknown)).toBe('1 not_idle');
  expect(turn(queue, { ...unknown, now: 14_000 })).toBe('1');
  // It has just been sent: a silence from before it tells nothing of what it is for.
  const fresh = [row('1', 'a', { when_idle: 1, created_at: 13_000 })];
  expect(turn(fresh, { ...unknown, now: 14_000 })).toBe('1 not_idle');
});

test('an agent that is busy by its own word gets what is important, and nothing sequential', () => {
  const queue = [row('1', 'a', { mode: 'urgent' }), row('2', 'b', { mode: 'important' }), row('3', 'c')];
  expect(turn(queue, { busySince: 1 })).toBe('1');
  expect(turn(queue.slice(1), { busySince: 1 })).toBe('2');
  expect(turn(queue.slice(2), { busySince: 1 })).toBe('3 busy');
});

test('one whose last attempt failed waits for its time', () => {
  const queue = [row('1', 'a', { not_before: 12_000, failures: 2 }), row('2', 'b')];
  expect(turn(queue)).toBe('2');
  expect(turn(queue, { now: 12_000 })).toBe('1');
  const first = firstInLine(queue.slice(0, 1), FACTS);
  expect(first).toMatchObject({ hold: { reason: 'failed_before', retryAt: 12_000 } });
});

test('one whose time is further off than any retry goes now: the clock was set back', () => {
  const queue = [row('1', 'a', { not_before: 12_000 + LONGEST_RETRY_MS, failures: 2 })];
  expect(turn(queue)).toBe('1');
  expect(turn(queue, { now: 12_000 })).toBe('1 failed_before');
});
