// Keys from outside of tmux wait only as long as somebody has the hold that they wait for; on a real tmux.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { arrives, HoldStage, PACE, type Recorder } from '../../test/support/hold.js';
import type { BoxProfile } from '../composer/index.js';
import type { Tracker } from '../sessions/index.js';
import { Typing } from '../sessions/typing.js';
import { HOLD_WATCH } from '../tmux/index.js';
import { Keeper } from './keeper.js';

const PROFILE = { pace: PACE } as BoxProfile;
let stage: HoldStage;
let agent: Recorder;
let typing: Typing;
let tracker: Tracker;
let keeper: Keeper;

beforeEach(async () => {
  stage = new HoldStage();
  agent = await stage.recorder('agent');
  const { pane } = agent;
  const into = { tracker: { pane }, composer: { activityAt: null }, row: { keyed_at: null } };
  typing = new Typing(into, async () => {});
  tracker = { pane, server: stage.tmux.server, typing } as unknown as Tracker;
  keeper = new Keeper({
    watch: { script: HOLD_WATCH, rescue: [] },
    config: { holdMaxMs: 20_000 },
    log: () => {},
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await stage.dispose();
});

// The connection is lost behind so many commands.
function cutOffAfter(commands: number): void {
  const { link } = agent.pane;
  const list = link.list.bind(link);
  const spy = vi.spyOn(link, 'list');
  for (let n = 0; n < commands; n++) spy.mockImplementationOnce(list);
  spy.mockImplementationOnce(async () => {
    throw new Error('cut off');
  });
}

test.each([
  ['it is given more time', 0],
  ['it is looked at', 1],
])('a hold that was left, and is lost again while %s, keeps no key', async (_, commands) => {
  await stage.hold(agent.pane);
  cutOffAfter(commands);
  await expect(keeper.left(tracker, PROFILE)).rejects.toThrow('cut off');
  expect(typing.isHeld).toBe(false);
  expect(await typing.type(Buffer.from('a'))).toEqual({ outcome: 'typed' });
  // The next round finds it again, and lets go of it.
  const hold = await keeper.left(tracker, PROFILE);
  expect([hold !== undefined, typing.isHeld]).toEqual([true, true]);
  void typing.type(Buffer.from('b'));
  if (hold) await keeper.release(hold);
  expect(typing.isHeld).toBe(false);
  await arrives(agent, 'ab');
  expect(stage.traces()).toBe('');
});

test('one that cannot be begun keeps no key', async () => {
  cutOffAfter(0);
  await expect(keeper.hold(tracker, PROFILE)).rejects.toThrow('cut off');
  expect(typing.isHeld).toBe(false);
});
