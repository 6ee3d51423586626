// Keys from outside of tmux wait only as long as somebody has the hold that they wait for; on a real tmux.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { arrives, HoldStage, PACE, type Recorder, settled } from '../../test/support/hold.js';
import { until } from '../../test/support/tmux.js';
import type { BoxProfile } from '../composer/index.js';
import type { Tracker } from '../sessions/index.js';
import { Typing } from '../sessions/typing.js';
import { findHold, HOLD_WATCH, type KeyHold, Pane } from '../tmux/index.js';
import { Keeper } from './keeper.js';

const PROFILE = { pace: PACE } as BoxProfile;
let stage: HoldStage;
let agent: Recorder;
let typing: Typing;
let tracker: Tracker;
let keeper: Keeper;
let released: number[];

beforeEach(async () => {
  stage = new HoldStage();
  agent = await stage.recorder('agent');
  const { pane } = agent;
  const into = { tracker: { pane }, composer: { activityAt: null }, row: { keyed_at: null } };
  typing = new Typing(into, async () => {});
  tracker = { pane, server: stage.tmux.server, typing } as unknown as Tracker;
  released = [];
  keeper = new Keeper({
    watch: { script: HOLD_WATCH, rescue: [] },
    config: { holdMaxMs: 3000 },
    released: (heldMs) => released.push(heldMs),
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
])(
  'a hold that was left, and is lost again while %s, keeps the keys for the next who comes',
  async (_, commands) => {
    await stage.hold(agent.pane);
    cutOffAfter(commands);
    await expect(keeper.left(tracker, PROFILE)).rejects.toThrow('cut off');
    expect(typing.isHeld).toBe(true);
    const typed = typing.type(Buffer.from('a'));
    const hold = await keeper.left(tracker, PROFILE);
    expect([hold !== undefined, typing.isHeld]).toEqual([true, true]);
    void typing.type(Buffer.from('b'));
    if (hold) await keeper.release(hold);
    expect(await typed).toEqual({ outcome: 'typed' });
    expect(typing.isHeld).toBe(false);
    await arrives(agent, 'ab');
    expect(stage.traces()).toBe('');
  },
);

async function held(): Promise<KeyHold> {
  const start = await keeper.hold(tracker, PROFILE);
  if (start.outcome !== 'held') throw new Error(start.detail);
  return start.hold;
}

test('an attempt that breaks off leaves its hold to the next, who lets all keys go, once', async () => {
  const person = await stage.person(agent.pane.link.sessionId);
  const hold = await held();
  person.send('in');
  await keeper.leave(hold);
  void typing.type(Buffer.from('out'));
  await settled();
  expect(agent.bytes().length).toBe(0);
  // The very same: whatever it was told by tmux meanwhile, it knows.
  expect(await keeper.left(tracker, PROFILE)).toBe(hold);
  const [first, second] = await Promise.all([keeper.release(hold), keeper.release(hold)]);
  expect(await keeper.release(hold)).toBe(first);
  expect(second).toBe(first);
  await keeper.leave(hold);
  expect(typing.isHeld).toBe(false);
  expect(released).toEqual([first]);
  await arrives(agent, 'inout');
  expect(stage.traces()).toBe('');
  expect(await keeper.left(tracker, PROFILE)).toBeUndefined();
});

test('a hold that is left, and that nobody comes back to, lets all keys go', async () => {
  const person = await stage.person(agent.pane.link.sessionId);
  await keeper.leave(await held());
  person.send('in');
  void typing.type(Buffer.from('out'));
  await settled();
  expect(agent.bytes().length).toBe(0);
  const later = Date.now() + 10_000;
  vi.spyOn(Date, 'now').mockReturnValue(later);
  await until(() => !typing.isHeld, 'the keys to be let go');
  vi.restoreAllMocks();
  await arrives(agent, 'inout');
  expect(stage.traces()).toBe('');
});

// Ten keys at that pace take longer than the next attempt takes to come.
const SLOW = { pace: { stepMs: 150, enterMs: 150 } } as BoxProfile;

test.each(['left', 'freed while its attempt goes on'])(
  'a hold whose keys are being let go is not taken up: %s',
  async (how) => {
    const person = await stage.person(agent.pane.link.sessionId);
    const start = await keeper.hold(tracker, SLOW);
    if (start.outcome !== 'held') throw new Error(start.detail);
    person.send('0123456789');
    await settled();
    if (how === 'left') await keeper.leave(start.hold);
    const release = keeper.release(start.hold);
    await until(() => agent.bytes().length > 0, 'the first key');
    expect(await keeper.left(tracker, SLOW)).toBeUndefined();
    expect(agent.bytes().toString()).toBe('0123456789');
    expect(await release).toBeGreaterThan(0);
    expect(typing.isHeld).toBe(false);
    expect(stage.traces()).toBe('');
  },
);

test('what is left is let go when everything ends, and nothing is left from then on', async () => {
  const person = await stage.person(agent.pane.link.sessionId);
  await keeper.leave(await held());
  person.send('in');
  await settled();
  await keeper.dispose();
  await arrives(agent, 'in');
  expect(stage.traces()).toBe('');
  await keeper.leave(await held());
  expect([typing.isHeld, stage.traces()]).toEqual([false, '']);
});

test('one that is left and was ended by its watchdog keeps no key from outside', async () => {
  const hold = await held();
  await keeper.leave(hold);
  await (await findHold(agent.pane, PACE))?.release();
  void typing.type(Buffer.from('a'));
  expect(await keeper.left(tracker, PROFILE)).toBeUndefined();
  expect(typing.isHeld).toBe(false);
  await arrives(agent, 'a');
});

test('one that is left is found again where its pane is followed anew', async () => {
  const hold = await held();
  await keeper.leave(hold);
  const anew = new Pane(agent.pane.link, agent.pane.id);
  const found = await keeper.left({ ...tracker, pane: anew } as unknown as Tracker, PROFILE);
  expect(found).not.toBe(hold);
  expect([found?.token, typing.isHeld]).toEqual([hold.token, true]);
  void typing.type(Buffer.from('a'));
  if (found) await keeper.release(found);
  expect(typing.isHeld).toBe(false);
  await arrives(agent, 'a');
  expect(stage.traces()).toBe('');
});

test('one that cannot be begun keeps no key', async () => {
  cutOffAfter(0);
  await expect(keeper.hold(tracker, PROFILE)).rejects.toThrow('cut off');
  expect(typing.isHeld).toBe(false);
});
