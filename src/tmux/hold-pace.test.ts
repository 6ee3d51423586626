import { expect, it } from 'vitest';
import {
  calmOf,
  ESCAPE_MS,
  type KeyKind,
  LONE_KEYS,
  NO_RUN,
  nextRun,
  type Run,
  SILENT_MS,
  type Step,
  stepOf,
} from './hold-pace.js';

const PLAIN = { stepMs: 12, enterMs: 150 };
const SLOW = { stepMs: 30, enterMs: 150, echoMs: 400 };

// The run after keys that the program showed after so long, or did not.
const after = (
  count: number,
  shown: 'shown' | 'silent',
  kind: KeyKind = 'k',
  ms = 20,
  from = NO_RUN,
): Run => {
  let run = from;
  for (let i = 0; i < count; i++)
    run = nextRun(kind, run, shown === 'shown' ? { shownMs: ms } : { silentMs: ms });
  return run;
};

// The times of a step, without what is known of all of them.
const paced = ({ beforeMs, settles, echoMs, afterMs }: Step) => ({ beforeMs, settles, echoMs, afterMs });

it('a key has its step, an Enter its time before and after, an Escape its distance', () => {
  expect(paced(stepOf('k', NO_RUN, PLAIN))).toEqual({
    beforeMs: 0,
    settles: 0,
    echoMs: undefined,
    afterMs: 12,
  });
  expect(paced(stepOf('e', NO_RUN, PLAIN))).toEqual({
    beforeMs: 150,
    settles: 8,
    echoMs: 2500,
    afterMs: 150,
  });
  expect(stepOf('x', NO_RUN, PLAIN).afterMs).toBe(ESCAPE_MS);
  expect(paced(stepOf('o', NO_RUN, SLOW))).toEqual({
    beforeMs: 0,
    settles: 0,
    echoMs: undefined,
    afterMs: 0,
  });
});

it('a long run is a paste: no steps, and no time for the Enters of its lines', () => {
  expect(stepOf('k', after(63, 'shown'), PLAIN).afterMs).toBe(12);
  expect(stepOf('k', after(64, 'shown'), PLAIN).afterMs).toBe(0);
  expect(stepOf('e', after(64, 'shown'), PLAIN).afterMs).toBe(150);
  expect(paced(stepOf('e', after(64, 'shown', 'e'), PLAIN))).toEqual({
    beforeMs: 0,
    settles: 0,
    echoMs: undefined,
    afterMs: 0,
  });
});

it('a person whom a slow program lags behind is no paste', () => {
  expect(paced(stepOf('k', after(400, 'shown'), SLOW))).toEqual({
    beforeMs: 0,
    settles: 0,
    echoMs: 400,
    afterMs: 30,
  });
});

it('a slow program that shows nothing for some keys is inside a paste, until it shows something', () => {
  const inside = after(6, 'silent');
  expect(paced(stepOf('k', after(5, 'silent'), SLOW))).toEqual({
    beforeMs: 0,
    settles: 0,
    echoMs: 400,
    afterMs: 30,
  });
  expect(paced(stepOf('k', inside, SLOW))).toEqual({ beforeMs: 0, settles: 0, echoMs: 5, afterMs: 0 });
  expect(paced(stepOf('k', nextRun('k', inside, { shownMs: 20 }), SLOW))).toEqual({
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
  const later = nextRun('k', after(3, 'shown', 'k', 300), { shownMs: 20 });
  expect(stepOf('k', later, SLOW).echoMs).toBe(900);
  expect(stepOf('k', after(1, 'shown', 'k', 300), PLAIN).echoMs).toBeUndefined();
});

it('a paste of many lines, of which nothing shows, does not take forever', () => {
  const keys = Array.from({ length: 40 }, () => [...Array<KeyKind>(24).fill('k'), 'e' as const]).flat();
  let [run, total] = [NO_RUN, 0];
  for (const kind of keys) {
    const { beforeMs, echoMs = 0, afterMs } = stepOf(kind, run, PLAIN);
    total += beforeMs + echoMs + afterMs;
    run = nextRun(kind, run, { silentMs: echoMs });
  }
  expect(total).toBeLessThan(6000);
});

// A program that shows nothing is waited for as long as it is asked for; one that does takes `echoMs` each time.
function release(kinds: readonly KeyKind[], shows: (key: number) => number | undefined, pace = SLOW) {
  let [run, silentMs] = [NO_RUN, 0];
  const steps: Step[] = [];
  kinds.forEach((kind, key) => {
    const step = stepOf(kind, run, pace);
    const shownMs = shows(key);
    const isSeen = shownMs !== undefined && step.echoMs !== undefined && shownMs <= step.echoMs;
    if (!isSeen && kind !== 'e') silentMs += step.echoMs ?? 0;
    run = nextRun(kind, run, isSeen ? { shownMs } : { silentMs: step.echoMs ?? 0 });
    steps.push(step);
  });
  return { steps, silentMs };
}
const keys = (count: number): KeyKind[] => Array<KeyKind>(count).fill('k');

it.each<[string, (key: number) => number | undefined]>([
  ['nothing at all', () => undefined],
  ['nothing behind a few keys that it showed late', (key) => (key < 4 ? 1400 : undefined)],
  ['its cursor here and there, from a paint of its own', (key) => (key % 5 === 4 ? 0 : undefined)],
])('a program that shows %s is not waited for longer in all', (_what, shows) => {
  const { silentMs } = release(keys(2000), shows);
  // Of the second one in a row nothing is known before it has been waited for.
  expect(silentMs).toBeLessThanOrEqual(SILENT_MS + 1500);
});

it('keys that stand alone and move nothing take no time from those behind them, a few of them', () => {
  const { steps, silentMs } = release(keys(60), (key) => (key % 7 === 6 ? undefined : 350));
  expect(new Set(steps.slice(1).map(({ echoMs }) => echoMs))).toEqual(new Set([1050]));
  expect(silentMs).toBe(LONE_KEYS * 1050);
  const all = release(keys(2000), (key) => (key % 2 === 0 ? 0 : undefined));
  expect(all.silentMs).toBeLessThanOrEqual(SILENT_MS + LONE_KEYS * 400);
});

it("a person's keys that a program shows are waited for as ever, behind a paste too", () => {
  const typed = release(keys(400), () => 350);
  expect(new Set(typed.steps.slice(1).map(({ echoMs }) => echoMs))).toEqual(new Set([1050]));
  const pasted = release(keys(300), () => undefined);
  // A paste is not walked through step by step.
  expect(pasted.steps.findIndex(({ afterMs }) => afterMs < 30)).toBe(6);
  expect(pasted.steps.at(-1)).toMatchObject({ echoMs: 0, afterMs: 5 });
  const both = release(keys(400), (key) => (key < 300 ? undefined : 0));
  expect(both.steps[302]).toMatchObject({ echoMs: 400, afterMs: 30 });
  expect(both.steps.at(-1)).toMatchObject({ echoMs: 400, afterMs: 30 });
});

it('a key that shows late, inside a paste, does not begin the waiting anew', () => {
  // So quick that the waiting is not over for other reasons.
  const pace = { ...SLOW, echoMs: 20 };
  const waits = (late: number): number =>
    release(keys(100), (key) => (key === late ? 0 : undefined), pace).steps.filter(
      ({ echoMs = 0 }) => echoMs > 5,
    ).length;
  expect(waits(1000)).toBe(6);
  // While the fourth was waited for the first may have shown; the one behind is waited for, and that is all.
  expect(waits(3)).toBe(8);
  expect(waits(19)).toBe(7);
});

it('nothing is known of a key that nobody looked for', () => {
  const silent = after(6, 'silent');
  expect(nextRun('k', silent, undefined)).toEqual({ ...silent, keys: 7 });
});

const TEXT = { ...SLOW, textMs: 8 };
const first = nextRun('t', NO_RUN, { shownMs: 20 });
const letters = (count: number, from = first): Run => {
  let run = from;
  for (let i = 0; i < count; i++) run = nextRun('t', run, undefined);
  return run;
};

it('letters behind letters are let through without waiting, the first key of all is not', () => {
  expect(stepOf('t', NO_RUN, TEXT)).toMatchObject({ echoMs: 1500, afterMs: 30 });
  for (const run of [first, letters(1), letters(15)])
    expect(stepOf('t', run, TEXT)).toMatchObject({ calmMs: 0, beforeMs: 0, echoMs: undefined, afterMs: 8 });
  // Only where the profile says so.
  expect(stepOf('t', first, SLOW)).toMatchObject({ calmMs: 0, echoMs: 400, afterMs: 30 });
});

it('what edits them waits until they are all to be seen', () => {
  for (const kind of ['k', 'e', 'x'] as const) {
    expect(stepOf(kind, first, TEXT).calmMs).toBe(0);
    expect(stepOf(kind, letters(3), TEXT).calmMs).toBe(60);
  }
  // Our own key reaches no program, and they are still to be seen behind it.
  expect(stepOf('o', letters(3), TEXT).calmMs).toBe(0);
  expect(calmOf(nextRun('o', letters(3), undefined))).toBe(60);
  expect(calmOf(nextRun('k', letters(3), { shownMs: 20 }))).toBe(0);
});

it('by how late keys were seen is known how late letters may show', () => {
  const late = (ms: number): number => calmOf(letters(1, nextRun('t', NO_RUN, { shownMs: ms })));
  expect([late(20), late(400), late(4000)]).toEqual([60, 600, 2500]);
});

it('behind so many letters one is looked for, and what follows it flows again', () => {
  expect(stepOf('t', letters(16), TEXT)).toMatchObject({ calmMs: 60, echoMs: 400, afterMs: 30 });
  const seen = nextRun('t', letters(16), { shownMs: 20 });
  expect([seen.letters, stepOf('t', seen, TEXT).afterMs]).toEqual([0, 8]);
});
