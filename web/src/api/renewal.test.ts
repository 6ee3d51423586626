// A sign-in is asked for at once and once a day, again within the day if that failed, and never while signed out.
import { expect, test } from 'vitest';
import { Renewal } from './renewal.js';

const HOUR = 3_600_000;

function renewal() {
  const at = { now: 1_000_000, isIn: true, works: true, asked: 0 };
  const one = new Renewal({
    ask: async () => {
      at.asked++;
      if (!at.works) throw new Error('the daemon does not answer');
    },
    isIn: () => at.isIn,
    now: () => at.now,
  });
  const after = async (hours: number): Promise<number> => {
    at.now += hours * HOUR;
    one.look();
    await Promise.resolve();
    return at.asked;
  };
  return { at, after };
}

test('once a day', async () => {
  const { after } = renewal();
  expect([await after(0), await after(1), await after(22), await after(1), await after(1)]).toEqual([
    1, 1, 1, 2, 2,
  ]);
});

test('again in an hour when it failed; not while nobody is signed in', async () => {
  const { at, after } = renewal();
  at.works = false;
  expect([await after(0), await after(0.5), await after(0.5)]).toEqual([1, 1, 2]);
  at.isIn = false;
  expect(await after(48)).toBe(2);
});
