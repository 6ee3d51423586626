import { expect, it } from 'vitest';
import { ESCAPE_MS, type KeyKind, NO_RUN, nextRun, type Run, stepOf } from './hold-pace.js';

const PLAIN = { stepMs: 12, enterMs: 150 };
const SLOW = { stepMs: 30, enterMs: 150, echoMs: 400 };

// The run after keys that the program showed, or did not.
const after = (count: number, shown: 'shown' | 'silent', kind: KeyKind = 'k', ms = 20): Run => {
  let run = NO_RUN;
  for (let i = 0; i < count; i++) run = nextRun(kind, run, shown === 'shown' ? ms : undefined);
  return run;
};

it('a key has its step, an Enter its time before and after, an Escape its distance', () => {
  expect(stepOf('k', NO_RUN, PLAIN)).toEqual({ beforeMs: 0, settles: 0, echoMs: undefined, afterMs: 12 });
  expect(stepOf('e', NO_RUN, PLAIN)).toEqual({ beforeMs: 150, settles: 8, echoMs: 2500, afterMs: 150 });
  expect(stepOf('x', NO_RUN, PLAIN).afterMs).toBe(ESCAPE_MS);
  expect(stepOf('o', NO_RUN, SLOW)).toEqual({ beforeMs: 0, settles: 0, echoMs: undefined, afterMs: 0 });
});

it('a long run is a paste: no steps, and no time for the Enters of its lines', () => {
  expect(stepOf('k', after(63, 'shown'), PLAIN).afterMs).toBe(12);
  expect(stepOf('k', after(64, 'shown'), PLAIN).afterMs).toBe(0);
  expect(stepOf('e', after(64, 'shown'), PLAIN).afterMs).toBe(150);
  expect(stepOf('e', after(64, 'shown', 'e'), PLAIN)).toEqual({
    beforeMs: 0,
    settles: 0,
    echoMs: undefined,
    afterMs: 0,
  });
});

it('a person whom a slow program lags behind is no paste', () => {
  expect(stepOf('k', after(400, 'shown'), SLOW)).toEqual({
    beforeMs: 0,
    settles: 0,
    echoMs: 400,
    afterMs: 30,
  });
});

it('a slow program that shows nothing for some keys is inside a paste, until it shows something', () => {
  const inside = after(6, 'silent');
  expect(stepOf('k', after(5, 'silent'), SLOW)).toEqual({
    beforeMs: 0,
    settles: 0,
    echoMs: 400,
    afterMs: 30,
  });
  expect(stepOf('k', inside, SLOW)).toEqual({ beforeMs: 0, settles: 0, echoMs: 5, afterMs: 0 });
  expect(stepOf('k', nextRun('k', inside, 20), SLOW)).toEqual({
    beforeMs: 0,
    settles: 0,
    echoMs: 400,
    afterMs: 30,
  });
});

it('a program that lags more than its profile says is waited for as long as it has shown to need', () => {
  expect(stepOf('k', NO_RUN, SLOW).echoMs).toBe(1500);
  expect(stepOf('k', after(1, 'shown', 'k', 300), SLOW).echoMs).toBe(900);
  expect(stepOf('k', after(1, 'shown', 'k', 1400), SLOW).echoMs).toBe(2500);
  const later = nextRun('k', after(3, 'shown', 'k', 300), 20);
  expect(stepOf('k', later, SLOW).echoMs).toBe(900);
  expect(stepOf('k', after(1, 'shown', 'k', 300), PLAIN).echoMs).toBeUndefined();
});

it('a paste of many lines, of which nothing shows, does not take forever', () => {
  const keys = Array.from({ length: 40 }, () => [...Array<KeyKind>(24).fill('k'), 'e' as const]).flat();
  let [run, total] = [NO_RUN, 0];
  for (const kind of keys) {
    const { beforeMs, echoMs = 0, afterMs } = stepOf(kind, run, PLAIN);
    total += beforeMs + echoMs + afterMs;
    run = nextRun(kind, run, undefined);
  }
  expect(total).toBeLessThan(6000);
});
