import { expect, it } from 'vitest';
import { drawnNear, firing, isLate } from './timing.js';

const once = { due_at: 1000, every_ms: null, fired: 0 };
const every = { due_at: 1000, every_ms: 600, fired: 3 };

it('one that comes once is done', () => {
  expect(firing(once, 5000)).toEqual({ state: 'done', due_at: 1000, fired: 1 });
});

it.each([
  ['on time', 1000, 1600],
  ['a little late: it keeps to its times', 1100, 1600],
  ['just before the next', 1599, 1600],
  ['at the next', 1600, 2200],
  ['after a long sleep: one, not one for each that was missed', 1000 + 10 * 600 + 50, 1000 + 11 * 600],
  ['before its time, as a clock may be set back', 900, 1600],
])('one that comes again, %s', (_, now, dueAt) => {
  expect(firing(every, now)).toEqual({ state: 'waiting', due_at: dueAt, fired: 4 });
});

it.each([
  ['one interval from now, where it is further off', 100, 700],
  ['as it was, where it is not', 700, 1000],
])('one that comes again, after the clock was set back: %s', (_, now, dueAt) => {
  expect(drawnNear(every, now)).toEqual({ state: 'waiting', due_at: dueAt, fired: 3 });
  expect(drawnNear(once, now).due_at).toBe(1000);
});

it('is late after some seconds, or when no daemon was there at the time', () => {
  expect(isLate(100_000, 101_500, 50_000)).toBe(false);
  expect(isLate(100_000, 111_000, 50_000)).toBe(true);
  expect(isLate(100_000, 101_500, 101_000)).toBe(true);
});
