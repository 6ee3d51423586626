// Keys from outside of tmux: in order and once, whatever holds begin and end meanwhile, on disk before the first one, and at the
// pace at which tmux would let them through.
import { beforeEach, describe, expect, test } from 'vitest';
import { ESCAPE_MS, type LinkState, type Pane } from '../tmux/index.js';
import { Typing } from './typing.js';

const PACE = { stepMs: 0, enterMs: 0 };
let got: string[];
// What was typed and how long was waited, in milliseconds.
let steps: (string | number)[];
let linkState: LinkState;
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
  [got, steps, kept, noted, written] = [[], [], [], 0, undefined];
  linkState = { kind: 'up' };
  const pane = {
    id: '%1',
    link: {
      get state() {
        return linkState;
      },
      // Where the cursor is: behind what was typed since the last Enter.
      command: async () => [Buffer.from(String(got.length - 1 - got.lastIndexOf('\r')))],
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
      steps.push(String(data));
      return { outcome: 'injected' };
    },
  };
  session = {
    tracker: { pane: pane as unknown as Pane },
    composer: { activityAt: null },
    row: { keyed_at: null },
  };
  const keep = async (keyedAt: number): Promise<void> => {
    kept.push(keyedAt);
    await new Promise<void>((resolve) => {
      written = resolve;
    });
    session.row.keyed_at = keyedAt;
  };
  typing = new Typing(session, keep, async (ms) => void (ms > 0 && steps.push(ms)));
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

describe('what waited comes at the pace of the program', () => {
  const PLAIN = { stepMs: 3, enterMs: 150 };
  const released = (...keys: string[]): Promise<number> => {
    typing.hold();
    for (const key of keys) void type(key);
    return typing.release(PLAIN);
  };

  test('a lone Escape keeps its distance from the next key; an arrow is one key', async () => {
    await released('\x1b', 'i', '\x1b[A');
    expect(steps).toEqual(['\x1b', ESCAPE_MS, 'i', 3, '\x1b[A', 3]);
  });

  test('an Enter has its time before and after', async () => {
    await released('a', '\r', 'b');
    expect(steps).toEqual(['a', 3, 150, '\r', 150, 'b', 3]);
  });

  test('so it has where nothing can be seen of the pane', async () => {
    linkState = { kind: 'down', reason: 'x' };
    await released('a', '\r', 'b');
    expect(steps).toEqual(['a', 3, 150, '\r', 150, 'b', 3]);
  });

  test('a pane that cannot be looked at keeps no key back, and none comes twice', async () => {
    const { tracker } = session as { tracker: { pane: Pane } };
    tracker.pane.link.command = () => Promise.reject(new Error('no such pane'));
    expect(await released('a', '\r', 'b')).toBe(3);
    expect([got, typing.isHeld]).toEqual([['a', '\r', 'b'], false]);
  });

  test('many in a row are no person any more: the rest comes at once', async () => {
    await released(...Array<string>(200).fill('\x1b[B'));
    expect(got).toHaveLength(200);
    expect(steps.filter((step) => step === 3)).toHaveLength(64);
    expect(steps).toHaveLength(264);
  });
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
