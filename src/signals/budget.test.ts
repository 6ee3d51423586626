// So many in so much time.
import { expect, test } from 'vitest';
import { Budget } from './budget.js';

test('so many, then the time at which the first of them is forgotten', () => {
  const [budget, allowance] = [new Budget(), { count: 2, perMs: 100 }];
  expect([0, 10, 20, 99].map((now) => budget.take(allowance, now))).toEqual([null, null, 100, 100]);
  expect([budget.take(allowance, 100), budget.take(allowance, 105)]).toEqual([null, 110]);
  expect(budget.spent(allowance, 105)).toBe(2);
});

test('less from now on counts what was spent before', () => {
  const budget = new Budget();
  for (const now of [0, 1, 2]) budget.take({ count: 3, perMs: 100 }, now);
  expect(budget.take({ count: 1, perMs: 100 }, 50)).toBe(102);
  expect(budget.take({ count: 0, perMs: 100 }, 500)).not.toBeNull();
});
