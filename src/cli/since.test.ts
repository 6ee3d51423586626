import { expect, it } from 'vitest';
import { sinceTime } from './since.js';

const NOW = Date.parse('2026-03-10T12:00:00Z');

it.each([
  ['90m', '2026-03-10T10:30:00.000Z'],
  ['12h', '2026-03-10T00:00:00.000Z'],
  ['7d', '2026-03-03T12:00:00.000Z'],
  ['1w', '2026-03-03T12:00:00.000Z'],
  ['2026-01-31', new Date('2026-01-31T00:00:00').toISOString()],
  ['2026-01-31T17:30:00Z', '2026-01-31T17:30:00.000Z'],
  ['2026-01-31T17:30:00+02:00', '2026-01-31T15:30:00.000Z'],
])('%s', (text, time) => expect(sinceTime('--since', text, NOW)).toBe(time));

it.each(['', '7', 'd', '7 d', '-7d', 'yesterday', '2026-13-01', '2026-01-31T99:00', '999999w'])(
  '%j',
  (text) =>
    expect(() => sinceTime('--since', text, NOW)).toThrow(
      `--since "${text}": must be a time ago such as 12h`,
    ),
);
