import { expect, it } from 'vitest';
import { parseDuration } from './duration.js';

it.each([
  ['30s', 30_000],
  ['5m', 300_000],
  ['1h30m', 5_400_000],
  ['1h30m15s', 5_415_000],
  ['1m500ms', 60_500],
  ['500ms', 500],
  ['1.5m', 90_000],
  ['2d', 172_800_000],
  ['1d12h', 129_600_000],
  ['30', 30_000],
  ['0.5', 500],
])('reads %s', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

it.each([
  '',
  'soon',
  '0',
  '0s',
  '0h0m',
  '-5m',
  '5 m',
  '30m1h',
  '5m5m',
  '1h30',
  '5M',
  '1e3s',
  'm',
  '9'.repeat(400),
])('does not read "%s"', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});
