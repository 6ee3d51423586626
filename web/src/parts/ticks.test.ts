// The page's clock: moves for all together, and does not lie to who looks at it after a while.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lastTick, onTick } from './ticks.js';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

test('it goes on for as long as somebody looks, and is right for the next one who does', () => {
  const ticks = vi.fn();
  const leave = onTick(ticks);
  vi.advanceTimersByTime(10_000);
  expect([ticks.mock.calls.length, lastTick()]).toEqual([1, 1_010_000]);
  leave();
  vi.advanceTimersByTime(3_600_000);
  expect(lastTick()).toBe(1_010_000);
  const leaveAgain = onTick(ticks);
  expect(lastTick()).toBe(4_610_000);
  leaveAgain();
  expect(vi.getTimerCount()).toBe(0);
});
