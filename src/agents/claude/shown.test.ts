// What the transcript shows is what was taken: not what a hook tells, nor in which order the two are heard.
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DoorRig, ID, TEXT } from '../../../test/support/claude-door.js';
import { findNow } from './transcript-file.js';

let rig: DoorRig;
beforeEach(() => {
  rig = new DoorRig();
});
afterEach(() => {
  vi.useRealTimers();
  rig.dispose();
});

const RECEIVED = [ID, 't1', 'transcript: user, queued'];
const ups = (turn: string, prompt = TEXT): void => rig.say('UserPromptSubmit', { prompt, prompt_id: turn });
const stop = (turn: string, answer: string): void =>
  rig.say('Stop', { prompt_id: turn, last_assistant_message: answer });

test.each(['without a registry', 'with one'])(
  "a prompt that a hook of the user's has stopped: not received, no turn, not busy (%s)",
  (kind) => {
    vi.useFakeTimers();
    if (kind === 'with one') rig.registry('idle');
    rig.write({});
    rig.open();
    rig.say('SessionStart');
    ups('t1');
    vi.advanceTimersByTime(4000);
    expect(rig.received()).toEqual([]);
    expect(rig.state).toBe('idle');
    ups('t2', 'another');
    rig.prompt('t2', 'another');
    stop('t2', 'ok');
    expect(rig.received()).toEqual([]);
    expect(rig.ended()).toEqual([['t2', 'completed', 'ok']]);
  },
);

test("a hook of the user's that takes long: busy again when the prompt is shown", () => {
  vi.useFakeTimers();
  rig.write({});
  rig.open();
  rig.say('SessionStart');
  ups('t1');
  vi.advanceTimersByTime(4000);
  rig.prompt('t1');
  rig.say('Notification');
  expect(rig.state).toBe('busy');
  expect(rig.received()).toEqual([RECEIVED]);
});

test('the first prompt of all: received as soon as its transcript is made, in a folder that is made with it', async () => {
  rig.open();
  fs.rmdirSync(path.dirname(rig.transcript));
  rig.say('SessionStart');
  ups('t1');
  await new Promise((resolve) => setTimeout(resolve, 50));
  fs.mkdirSync(path.dirname(rig.transcript));
  rig.prompt('t1');
  await expect.poll(() => rig.received()).toEqual([RECEIVED]);
});

test('a Stop that is heard before the transcript is written: received, and done', () => {
  rig.write({});
  rig.open();
  rig.say('SessionStart');
  ups('t1');
  stop('t1', 'quick');
  expect(rig.received()).toEqual([]);
  rig.prompt('t1');
  rig.say('Notification');
  const kinds = rig.told.map(({ kind }) => kind).filter((kind) => kind !== 'status');
  expect(kinds.slice(-2)).toEqual(['received', 'turn_ended']);
  expect(rig.ended().at(-1)).toEqual(['t1', 'completed', 'quick']);
});

test('so it is with an older one, which gives its turns no ids; a message of the next turn is not done with it', () => {
  rig.write({});
  rig.open();
  rig.say('SessionStart');
  rig.say('UserPromptSubmit', { prompt: TEXT });
  rig.say('Stop', { last_assistant_message: 'quick' });
  rig.write({ type: 'user', permissionMode: 'default', message: { content: TEXT } });
  rig.say('Notification');
  const told = (): string[] => rig.told.map(({ kind }) => kind).filter((kind) => kind !== 'status');
  expect(told().slice(-2)).toEqual(['received', 'turn_ended']);
  expect(rig.ended().at(-1)).toEqual([null, 'completed', 'quick']);
  const next = TEXT.replace(ID, '0123456789ab');
  rig.say('UserPromptSubmit', { prompt: next });
  rig.write({ type: 'user', permissionMode: 'default', message: { content: next } });
  rig.say('Notification');
  expect(told().at(-1)).toBe('received');
});

test('what was written while no daemon ran is read by the next one, and its Stop is its end', async () => {
  rig.registry('idle');
  rig.write({});
  rig.open();
  rig.say('SessionStart');
  ups('t0', 'work');
  rig.prompt('t0', 'work');
  stop('t0', 'worked');
  rig.close();
  rig.prompt('t1');
  rig.told = [];
  rig.open();
  await expect.poll(() => rig.received()).toEqual([RECEIVED]);
  stop('t1', 'ok');
  expect(rig.ended()).toEqual([['t1', 'completed', 'ok']]);
});

test('a Stop that one daemon heard is the end that the next one tells, once the registry says so', async () => {
  rig.registry('busy');
  rig.write({});
  rig.open();
  rig.say('SessionStart');
  ups('t1');
  rig.prompt('t1');
  stop('t1', 'ok');
  expect(rig.ended()).toEqual([]);
  rig.registry('idle');
  rig.open();
  expect(rig.ended()).toEqual([]);
  await expect.poll(() => rig.ended()).toEqual([['t1', 'completed', 'ok']]);
  expect(rig.facts.turn).toBeUndefined();
});

test('a door that is opened with the hook of a prompt finds it in what was written before', () => {
  rig.prompt('t1');
  rig.open();
  ups('t1');
  expect(rig.received()).toEqual([RECEIVED]);
});

test('one look at a transcript finds all that is asked for', () => {
  const other = 'ba9876543210';
  rig.prompt('t1');
  rig.prompt('t2', TEXT.replace(ID, other));
  const open = vi.spyOn(fs, 'openSync');
  expect(findNow(rig.transcript, [ID, other]).map(({ turn }) => turn)).toEqual(['t1', 't2']);
  expect(open).toHaveBeenCalledTimes(1);
  open.mockRestore();
});

test('hooks of the process before, read only now, are not of this one', () => {
  rig.open({ begunAt: rig.now - 10_000 });
  rig.now -= 20_000;
  rig.say('Stop', { session_id: 'before' });
  rig.say('SessionEnd', { session_id: 'before' });
  rig.now += 20_000;
  rig.say('SessionStart', { source: 'startup' });
  rig.prompt('t1');
  ups('t1');
  expect(rig.facts.conversation).toBe('c1');
  expect(rig.received()).toEqual([RECEIVED]);
});

test('without a registry a tool that ends after its turn makes nobody busy, one of a turn out of the queue does', () => {
  rig.write({});
  rig.open();
  rig.say('SessionStart');
  ups('t1');
  rig.prompt('t1');
  stop('t1', 'ok');
  rig.say('PostToolUse', { prompt_id: 't1' });
  expect(rig.state).toBe('idle');
  rig.prompt('t2', 'was queued');
  rig.say('PostToolUse', { prompt_id: 't2' });
  expect(rig.state).toBe('busy');
});

test('without a registry one that says it waits for input is idle, whatever was heard before', () => {
  rig.open();
  rig.say('SessionStart');
  ups('t1');
  rig.prompt('t1');
  rig.say('Notification', { notification_type: 'idle_prompt' });
  expect(rig.state).toBe('idle');
});

test.each<[string, object]>([
  ['API error', { type: 'assistant', isApiErrorMessage: true, message: {} }],
  ['interrupted', { type: 'user', message: { content: [{ type: 'text', text: 'x' }] } }],
])(
  'without a registry a turn that ends without a Stop is over, after a restart too: %s',
  async (what, line) => {
    rig.write({});
    rig.open();
    rig.say('SessionStart');
    ups('t1');
    rig.prompt('t1');
    rig.say('Notification');
    rig.open();
    rig.write(line);
    await expect.poll(() => rig.ended()).toEqual([['t1', 'interrupted', null]]);
    expect(rig.told.findLast(({ kind }) => kind === 'turn_ended')).toMatchObject({
      evidence: `transcript: ${what}`,
    });
    expect(rig.state).toBe('idle');
  },
);
