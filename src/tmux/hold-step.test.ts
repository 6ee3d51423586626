// Keys that waited, let through to a program that exists in numbers alone, by a clock that moves with what is waited for.
import { expect, it } from 'vitest';
import { HoldCursor } from './hold-cursor.js';
import { type HoldPace, NO_RUN, SILENT_MS } from './hold-pace.js';
import { letThrough } from './hold-step.js';
import type { Pane } from './pane.js';

const SLOW: HoldPace = { stepMs: 30, enterMs: 150, echoMs: 400 };
// What a look costs, and how often a wait looks.
const LOOK_MS = 1;
// A thousand keys of which nothing is expected any more: half of them with a glimpse at where the cursor stands.
const PASTE_MS = 512 * (5 + LOOK_MS);

// `lagOf`: how long after the key the cursor moves by it, if it does.
async function release(keys: number, lagOf: (key: number) => number | undefined) {
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
    state = await letThrough('k', state, { pace: SLOW, cursor, go, pause, now });
  }
  // How long each key had to be shown before the next one went.
  const gaps = sentAt.map((at, key) => (sentAt[key + 1] ?? clock) - at);
  return { clock, vain, gaps, state };
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
