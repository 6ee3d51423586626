import { expect, it } from 'vitest';
import { parseAt } from './at.js';

const now = new Date(2026, 6, 25, 12, 0, 0);

it.each([
  ['17:30', new Date(2026, 6, 25, 17, 30)],
  ['9:05', new Date(2026, 6, 26, 9, 5)],
  ['12:00', new Date(2026, 6, 26, 12, 0)],
  ['12:00:01', new Date(2026, 6, 25, 12, 0, 1)],
  ['00:00', new Date(2026, 6, 26)],
  ['2026-08-01T17:30', new Date(2026, 7, 1, 17, 30)],
  ['2026-08-01 17:30', new Date(2026, 7, 1, 17, 30)],
  ['2026-08-01T17:30:00Z', new Date('2026-08-01T17:30:00Z')],
  ['2026-08-01T17:30:00+02:00', new Date('2026-08-01T15:30:00Z')],
])('%s', (text, at) => {
  expect(parseAt(text, now)).toEqual(at);
});

it.each(['', '24:00', '12:60', '5pm', 'noon', '2026-08-01', '2026-02-31T10:00', '2026-13-01T10:00', '17.30'])(
  '"%s" is no time',
  (text) => {
    expect(parseAt(text, now)).toBeUndefined();
  },
);
