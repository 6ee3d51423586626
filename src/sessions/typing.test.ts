// Keys from outside of tmux: in order and once, whatever holds begin and end meanwhile, and on disk before the first one.
import { beforeEach, expect, test } from 'vitest';
import type { Pane } from '../tmux/index.js';
import { Typing } from './typing.js';

const PACE = { stepMs: 0, enterMs: 0 };
let got: string[];
let kept: number[];
let noted: number;
let session: {
  tracker: { pane: Pane } | undefined;
  composer: { activityAt: number | null };
  row: { keyed_at: number | null };
};
let typing: Typing;
let written: (() => void) | undefined;

beforeEach(() => {
  [got, kept, noted, written] = [[], [], 0, undefined];
  const pane = {
    id: '%1',
    link: {
      noteKeys: (_: string, at: number) => {
        noted = Math.max(at, noted + 0.001);
        return noted;
      },
      forgetKeys: () => {
        noted = 0;
      },
    },
    type: async (data: Buffer) => {
      got.push(String(data));
      return { outcome: 'injected' };
    },
  };
  session = {
    tracker: { pane: pane as unknown as Pane },
    composer: { activityAt: null },
    row: { keyed_at: null },
  };
  typing = new Typing(session, async (keyedAt) => {
    kept.push(keyedAt);
    await new Promise<void>((resolve) => {
      written = resolve;
    });
    session.row.keyed_at = keyedAt;
  });
});

const type = (text: string) => typing.type(Buffer.from(text));
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a box that is known to be empty has it on disk that somebody types, before they do', async () => {
  session.composer.activityAt = 100;
  const first = type('a');
  const second = type('b');
  await turn();
  expect([got, kept.length]).toEqual([[], 1]);
  expect(kept[0]).toBeGreaterThan(100);
  written?.();
  await Promise.all([first, second]);
  await type('c');
  // Once is enough, until the box is known to be empty again.
  expect([got, kept.length]).toEqual([['a', 'b', 'c'], 1]);
  session.composer.activityAt = (typing.keyedAt ?? 0) + 1000;
  void type('d');
  await turn();
  expect(kept).toHaveLength(2);
  // Later than what is known, whatever the clock says.
  expect(kept[1]).toBeGreaterThan(session.composer.activityAt);
});

test('what is typed under a hold comes after it, in order; what comes meanwhile comes last', async () => {
  const told: boolean[] = [];
  typing.onHeld((isHeld) => told.push(isHeld));
  typing.hold();
  void type('a');
  void type('b');
  await turn();
  expect([got, typing.waitingBytes]).toEqual([[], 2]);
  const released = typing.release(PACE);
  void type('c');
  expect(await released).toBe(3);
  await type('d');
  expect([got, told, typing.isHeld]).toEqual([['a', 'b', 'c', 'd'], [true, false], false]);
});

test('a hold that begins while another ends keeps what is left', async () => {
  typing.hold();
  void type('a');
  void type('b');
  const released = typing.release({ stepMs: 5, enterMs: 5 });
  typing.hold();
  expect(await released).toBe(0);
  expect([got, typing.isHeld]).toEqual([[], true]);
  await typing.release(PACE);
  expect([got, typing.isHeld]).toEqual([['a', 'b'], false]);
});

test('a hold that begins while the first key is being written keeps it', async () => {
  session.composer.activityAt = 100;
  void type('a');
  await turn();
  typing.hold();
  written?.();
  await turn();
  expect(got).toEqual([]);
  expect(await typing.release(PACE)).toBe(1);
  expect(got).toEqual(['a']);
});

test('without a pane it is refused, and so is what its pane refuses', async () => {
  const { tracker } = session;
  session.tracker = undefined;
  expect(await type('a')).toEqual({ outcome: 'refused', reason: 'gone' });
  session.tracker = tracker;
  (tracker as { pane: Pane }).pane.type = async () => ({ outcome: 'refused', reason: 'in_mode' });
  expect(await type('a')).toEqual({ outcome: 'refused', reason: 'in_mode' });
});

test('of a program that has ended it is forgotten, unless it was typed a moment ago', async () => {
  await type('a');
  expect(typing.forget(Date.now())).toBe(false);
  expect(typing.forget(Date.now() + 10_000)).toBe(true);
  expect([typing.keyedAt, noted]).toEqual([null, 0]);
});
