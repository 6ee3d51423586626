// Keys that waited, let through to a program that exists in numbers alone, by a clock that moves with what is waited for.
import { expect, it } from 'vitest';
import { HoldCursor } from './hold-cursor.js';
import { calmOf, type HoldPace, type KeyKind, NO_RUN, SILENT_MS } from './hold-pace.js';
import { calm, letThrough } from './hold-step.js';
import type { Pane } from './pane.js';

const SLOW: HoldPace = { stepMs: 30, enterMs: 150, echoMs: 400 };
// What a look costs, and how often a wait looks.
const LOOK_MS = 1;
// A thousand keys of which nothing is expected any more: half of them with a glimpse at where the cursor stands.
const PASTE_MS = 512 * (5 + LOOK_MS);

// `lagOf`: how long after the key the cursor moves by it, if it does.
async function release(
  keys: number,
  lagOf: (key: number) => number | undefined,
  { pace = SLOW, kindOf = (): KeyKind => 'k' }: { pace?: HoldPace; kindOf?: (key: number) => KeyKind } = {},
) {
  let clock = 0;
  let vain = 0;
  const shownAt: number[] = [];
  const sentAt: number[] = [];
  const run = async (): Promise<string[]> => {
    clock += LOOK_MS;
    return [String(shownAt.filter((at) => at <= clock).length)];
  };
  const pause = async (ms: number): Promise<void> => {
    clock += ms;
  };
  const waitUntil = async (look: () => Promise<true | undefined>, ms: number) => {
    const begun = clock;
    while (clock < begun + ms) if (await look()) return { outcome: 'seen' };
    vain += clock - begun;
    return { outcome: 'deadline' };
  };
  const now = (): number => clock;
  const pane = { id: '%1', waitUntil } as unknown as Pane;
  const cursor = new HoldCursor({ pane, run, pause, now });
  let state = NO_RUN;
  for (let key = 0; key < keys; key++) {
    const go = async (): Promise<boolean> => {
      const lag = lagOf(key);
      if (lag !== undefined) shownAt.push(clock + lag);
      sentAt.push(clock);
      return true;
    };
    state = await letThrough(kindOf(key), state, { pace, cursor, go, pause, now });
  }
  // How long each key had to be shown before the next one went.
  const gaps = sentAt.map((at, key) => (sentAt[key + 1] ?? clock) - at);
  // As at the end of a release.
  await calm(cursor, calmOf(state), pause);
  return { clock, vain, gaps, state, sentAt, shownAt };
}

it('a paste, of which nothing shows, is waited for so long in all', async () => {
  const { clock, vain, state } = await release(1000, () => undefined);
  expect([vain, state.silentMs].every((ms) => ms <= SILENT_MS)).toBe(true);
  expect(clock).toBeLessThan(SILENT_MS + PASTE_MS);
});

it('so is one behind a key that showed late, however late', async () => {
  for (const late of [300, 1400, 1700, 2600, 4000]) {
    const { clock, state } = await release(1000, (key) => (key === 0 ? late : undefined));
    expect(state.silentMs).toBeLessThanOrEqual(SILENT_MS + 1500);
    expect(clock).toBeLessThan(late + SILENT_MS + 2500 + PASTE_MS);
  }
});

it('and one at a program whose cursor moves by itself now and then', async () => {
  const { vain, state } = await release(500, (key) => (key % 7 === 6 ? 0 : undefined));
  // Once more than is left may be waited for it to stand still.
  expect([state.silentMs <= SILENT_MS + 200, vain <= SILENT_MS]).toEqual([true, true]);
});

it("each of a person's keys is waited for, behind a paste too", async () => {
  const typed = await release(300, (key) => 200 + ((key * 37) % 150));
  expect(typed.gaps.every((gap, key) => gap > 200 + ((key * 37) % 150))).toBe(true);
  expect(typed.vain).toBe(0);
  // The end of a paste shows; from then on what was typed behind it is waited for.
  const behind = await release(200, (key) => (key < 99 ? undefined : 40));
  expect(behind.gaps.slice(110).every((gap) => gap > 40)).toBe(true);
  expect(behind.vain).toBeLessThanOrEqual(SILENT_MS);
});

const TEXT: HoldPace = { ...SLOW, textMs: 8 };

it('letters flow; what edits them, an Enter, and the end of the release wait until they are seen', async () => {
  const kinds: Record<number, KeyKind> = { 10: 'k', 20: 'e', 30: 'x' };
  const kindOf = (key: number): KeyKind => kinds[key] ?? 't';
  const { clock, gaps, sentAt, shownAt } = await release(40, () => 90, { pace: TEXT, kindOf });
  const isBehindAll = (at: number, key: number): boolean =>
    shownAt.slice(0, key).every((shown) => shown < at);
  for (const key of [10, 20, 30]) expect(isBehindAll(sentAt[key] ?? 0, key)).toBe(true);
  expect(isBehindAll(clock, 40)).toBe(true);
  // But for those before a key that is no letter, and the first of all, which tells how late it is.
  const flowing = gaps.filter(
    (_, key) => key > 0 && key < 39 && kindOf(key) === 't' && kindOf(key + 1) === 't',
  );
  expect(flowing.every((gap) => gap <= 8)).toBe(true);
  const slow = await release(40, () => 90, { kindOf });
  expect(slow.gaps.every((gap) => gap > 90)).toBe(true);
});

it('behind so many letters one is waited for', async () => {
  const { gaps, sentAt, shownAt } = await release(60, () => 90, { pace: TEXT, kindOf: () => 't' });
  const waited = gaps.flatMap((gap, key) => (gap > 90 ? [key] : []));
  // The one before them waits for those behind it to be seen, and they for it.
  expect(waited.filter((key) => key < 59)).toEqual([0, 16, 17, 33, 34, 50, 51]);
  for (const key of [17, 34, 51])
    expect(shownAt.slice(0, key).every((shown) => shown < (sentAt[key] ?? 0))).toBe(true);
});
