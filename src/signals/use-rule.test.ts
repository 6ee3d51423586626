// What becomes of one use of a signal.
import { expect, test } from 'vitest';
import { isTooOld, MOST_AGE_MS, next } from './use-rule.js';

const USE = { state: 'waiting', tries: 0, due_at: 5, reason: null, created_at: 0 } as const;

test('what is not taken is tried again, later each time, until it is a day old', () => {
  const waits: number[] = [];
  let use: Parameters<typeof next>[0] = USE;
  let now = 0;
  for (;;) {
    const change = next(use, { kind: 'not_taken', reason: 'no answer' }, now);
    use = { ...use, ...change };
    if (change.state !== 'waiting') break;
    waits.push((change.due_at - now) / 1000);
    now = change.due_at;
  }
  expect(waits.slice(0, 12)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
  expect(use).toMatchObject({ state: 'failed', reason: 'no answer', tries: waits.length + 1 });
  expect(now).toBeGreaterThan(MOST_AGE_MS - 600_000);
  expect(now).toBeLessThanOrEqual(MOST_AGE_MS);
});

test('what is begun is counted once', () => {
  const begun = next(USE, { kind: 'begun' }, 1);
  expect(begun).toEqual({ state: 'started', tries: 1, due_at: 5, reason: null, settled_at: null });
  const done = next({ ...USE, ...begun }, { kind: 'done' }, 7);
  expect(done).toEqual({ state: 'done', tries: 1, due_at: 5, reason: null, settled_at: 7 });
  expect(next(USE, { kind: 'done' }, 7).tries).toBe(1);
});

test.each(['failed', 'dropped'] as const)('%s is the end of it, with the reason', (kind) => {
  expect(next(USE, { kind, reason: 'why' }, 7)).toMatchObject({ state: kind, reason: 'why', settled_at: 7 });
});

test('a day later it is too old', () => {
  expect([isTooOld(USE, MOST_AGE_MS), isTooOld(USE, MOST_AGE_MS + 1)]).toEqual([false, true]);
});
