import { expect, test } from 'vitest';
import { isDead, refused, retryAfter } from './failing.js';

test('a person or a crash in the way costs a message nothing', () => {
  for (const reason of ['user_typing', 'interrupted', 'cursor_moved', 'sentinel_not_found'])
    expect(refused({ failures: 3 }, reason, 0)).toEqual({ kind: 'refused', reason });
});

test('a failure counts, and the next attempt waits twice as long each time', () => {
  expect(refused({ failures: 0 }, 'program_ended_before_enter', 1000)).toMatchObject({
    failed: true,
    retryAt: 2000,
  });
  expect(refused({ failures: 3 }, 'codex: no thread', 1000)).toMatchObject({ failed: true, retryAt: 9000 });
  expect(retryAfter(30)).toBe(300_000);
});

test('where there is another way in, it is taken at once', () => {
  const event = refused({ failures: 0 }, 'codex: no thread', 1000, 'another');
  expect(event).toEqual({ kind: 'refused', reason: 'codex: no thread', failed: true });
});

test('after so many failures it is given up', () => {
  expect(isDead({ failures: 7 }, 8)).toBe(false);
  expect(isDead({ failures: 8 }, 8)).toBe(true);
});
