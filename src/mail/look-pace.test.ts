import { describe, expect, test } from 'vitest';
import { nextLook } from './look-pace.js';

const MINUTE = 60_000;

describe('a box that cannot be read is looked into again', () => {
  test.each([
    ['the first minute', 0, 0, { printedAt: undefined, hasChanged: false }, 2000],
    ['however much it prints', 0, 10_000, { printedAt: 10_100, hasChanged: true }, 12_000],
    ['after a minute', 0, MINUTE, { printedAt: undefined, hasChanged: false }, MINUTE + 30_000],
    ['it prints all the time', 0, MINUTE, { printedAt: MINUTE + 29_000, hasChanged: true }, MINUTE + 30_000],
    [
      'its screen has changed and rests',
      0,
      MINUTE,
      { printedAt: MINUTE + 7000, hasChanged: true },
      MINUTE + 12_000,
    ],
    [
      'it printed, and shows what it showed',
      0,
      MINUTE,
      { printedAt: MINUTE + 7000, hasChanged: false },
      MINUTE + 30_000,
    ],
    ['never sooner than that', 0, MINUTE, { printedAt: MINUTE - 4000, hasChanged: true }, MINUTE + 2000],
  ])('%s', (_when, since, lastAt, screen, at) => {
    expect(nextLook({ since, lastAt }, screen)).toBe(at);
  });

  test('a minute of an agent that prints without pause: thirty looks, then two a minute', () => {
    const looks = { since: 0, lastAt: 0 };
    const at = [0];
    for (let now = 0; now < 3 * MINUTE; now += 100) {
      if (now < nextLook(looks, { printedAt: now, hasChanged: true })) continue;
      looks.lastAt = now;
      at.push(now);
    }
    const within = (from: number): number => at.filter((t) => t >= from && t < from + MINUTE).length;
    expect([within(0), within(MINUTE), within(2 * MINUTE)]).toEqual([30, 2, 2]);
  });
});
