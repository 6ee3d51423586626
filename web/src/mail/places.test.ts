// Moving in a queue: one place up or down among its like.
import { expect, test } from 'vitest';
import { placesOf } from './places.js';

const waiting = (
  id: string,
  given: { to?: string; mode?: 'sequential' | 'urgent'; state?: 'pending' | 'attempting' } = {},
) => ({
  id,
  to: { id: given.to ?? 's', name: 's' },
  mode: given.mode ?? ('sequential' as const),
  state: given.state ?? ('pending' as const),
});

const queue = [
  waiting('u', { mode: 'urgent' }),
  waiting('going', { state: 'attempting' }),
  waiting('a'),
  waiting('x', { to: 'other' }),
  waiting('b'),
  waiting('c'),
];
const places = (at: number) => placesOf(queue[at] as (typeof queue)[number], queue);

test('up is in front of the one before, down is in front of the one after the next, or behind all', () => {
  expect(places(2)).toEqual({ up: undefined, down: 'c' });
  expect(places(4)).toEqual({ up: 'a', down: null });
  expect(places(5)).toEqual({ up: 'b', down: undefined });
});

test('not past another mode or session, and not once it is under way', () => {
  expect([places(0), places(1), places(3)]).toEqual(Array(3).fill({ up: undefined, down: undefined }));
});
