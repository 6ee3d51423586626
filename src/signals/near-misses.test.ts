// Near misses are told to the log, not without end.
import { expect, it } from 'vitest';
import { LOGGED, LOGGED_MS, NearMisses } from './near-misses.js';

it('are logged so many a minute for each session, then counted', () => {
  let now = 0;
  const logs: string[] = [];
  const log = (message: string, { session, text, more }: Record<string, unknown>): void => {
    logs.push(`${session} ${text ?? `${message}: ${more}`}`);
  };
  const misses = new NearMisses({ clock: () => now, log });
  const miss = (session: string, text: string): void =>
    misses.record({ session, door: 'marker', text, reason: 'no marker' });
  for (let i = 0; i < 1000; i++) miss('a', `${i}`);
  miss('b', 'other');
  expect(logs).toEqual([...Array.from({ length: LOGGED }, (_, i) => `a ${i}`), 'b other']);
  expect(misses.of('a').at(-1)?.text).toBe('999');
  now += LOGGED_MS;
  miss('a', 'later');
  expect(logs.slice(-2)).toEqual([`a more potential missed signals: ${1000 - LOGGED}`, 'a later']);
});
