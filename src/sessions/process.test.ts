// When a process began, by the system.
import { expect, test } from 'vitest';
import { begunAt, readProcess } from './process.js';

// Some systems tell it in whole seconds; Node counts from a moment after it.
const ROUNDING_MS = 1500;

test('the start of a process as the system tells it is when it began', async () => {
  const { started = '' } = (await readProcess(process.pid)) ?? {};
  const now = Date.now();
  const at = begunAt(started, now) ?? 0;
  expect(Math.abs(at - (now - process.uptime() * 1000))).toBeLessThan(ROUNDING_MS);
});

test('what does not tell, or lies in the future, is not known', () => {
  expect(begunAt('', Date.now())).toBeUndefined();
  expect(begunAt(process.platform === 'linux' ? '99999999999999' : 'Jan 1 2999', Date.now())).toBeUndefined();
});
