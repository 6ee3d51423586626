// What was handed over: the next one waits until it is shown, and it is lost only where nothing can show it any more.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CONVERSATION, DoorRig, ID, TEXT } from '../../../test/support/claude-door.js';
import type { ClaudeDoor } from './door.js';
import { Patience } from './patience.js';

let rig: DoorRig;
beforeEach(() => {
  rig = new DoorRig();
});
afterEach(() => rig.dispose());

const LETTER = { id: ID, text: TEXT, mode: 'sequential', speaks: 'notice' } as const;
const queue = (operation: string, content?: string): void =>
  rig.write({ type: 'queue-operation', operation, content });

// As the wake hook does it.
async function handOver(door: ClaudeDoor): Promise<void> {
  fs.symlinkSync(`${process.pid}.${process.pid}`, path.join(rig.folder, `waiter.${CONVERSATION}`));
  const sending = door.send(LETTER);
  await expect.poll(() => fs.existsSync(rig.file('msg'))).toBe(true);
  fs.renameSync(rig.file('msg'), rig.file('told'));
  expect((await sending).outcome).toBe('accepted');
}

test.each<[string, (door: ClaudeDoor) => Promise<void>]>([
  ['is shown', async () => rig.prompt('t1')],
  [
    'is lost',
    async (door) => {
      rig.now += 11_000;
      expect((await door.find(ID)).at).toBe('nowhere');
    },
  ],
])(
  'sequential mail waits until what was handed over before it %s, important mail does not',
  async (_, go) => {
    rig.registry('idle');
    rig.write({});
    const door = rig.open();
    rig.say('SessionStart');
    await handOver(door);
    expect(door.carries(LETTER).kind).toBe('later');
    expect(door.carries({ ...LETTER, mode: 'important' }).kind).toBe('now');
    rig.told = [];
    await go(door);
    await expect.poll(() => rig.told.map(({ kind }) => kind)).toContain('changed');
    expect(door.carries(LETTER).kind).toBe('now');
  },
);

test('nor does it wait for ever, where nothing tells what became of that', async () => {
  const door = rig.open();
  rig.say('SessionStart');
  await handOver(door);
  rig.now += 10_000;
  expect(door.carries(LETTER).kind).toBe('later');
  rig.now += 2000;
  expect((await door.find(ID)).at).toBe('queue');
  expect(door.carries(LETTER).kind).toBe('now');
});

test.each<[string, () => void, string]>([
  ['nothing happened since', () => {}, 'queue'],
  ['a turn has ended that began before', () => rig.say('Stop', { last_assistant_message: 'ok' }), 'queue'],
  ['a whole turn lies behind it', () => turn(), 'nowhere'],
  [
    'a whole turn lies behind it, though it was queued',
    () => {
      queue('enqueue', TEXT);
      turn();
    },
    'nowhere',
  ],
  [
    'a whole turn lies behind it, and nothing is kept of it',
    () => {
      turn();
      fs.rmSync(rig.transcript);
    },
    'unknown',
  ],
])('told by a hook that was killed then, without a registry: %s', async (_, happen, at) => {
  rig.write({});
  const door = rig.open();
  rig.say('SessionStart');
  // The times of files lag behind the clock by some milliseconds.
  rig.now -= 100;
  rig.say('UserPromptSubmit', { prompt: 'before' });
  rig.prompt('t0', 'before');
  fs.writeFileSync(rig.file('told'), TEXT);
  rig.now += 1100;
  happen();
  rig.now += 11_000;
  expect((await door.find(ID)).at).toBe(at);
});

function turn(): void {
  rig.say('Stop');
  rig.now += 1000;
  rig.say('UserPromptSubmit', { prompt: 'after' });
  rig.prompt('t1', 'after');
  rig.say('Stop');
}

test.each<[string, () => void, string]>([
  ['in its queue', () => {}, 'queue'],
  ['behind one that was taken out', () => queue('dequeue'), 'queue'],
  [
    'out of its queue with all that was in it',
    () => {
      queue('dequeue');
      queue('remove');
    },
    'nowhere',
  ],
  ['taken out by the person', () => queue('popAll', TEXT), 'nowhere'],
])('its agent is idle for long: %s', async (_, happen, at) => {
  rig.registry('idle');
  rig.write({});
  const door = rig.open();
  rig.say('SessionStart');
  fs.writeFileSync(rig.file('told'), TEXT);
  queue('enqueue', 'other');
  queue('enqueue', TEXT);
  happen();
  rig.now += 60_000;
  expect((await door.find(ID)).at).toBe(at);
});

test('shown in the conversation before a /clear, and not written down: received all the same', async () => {
  rig.registry('idle');
  rig.write({});
  rig.prompt('t1', TEXT, path.join(rig.folder, 'projects', 'before.jsonl'));
  const door = rig.open({ begunAt: rig.now - 60_000 });
  rig.say('SessionStart');
  expect(await door.find(ID)).toMatchObject({ at: 'received', turn: 't1' });
});

test('an agent that is stopped, or whose machine sleeps, has its time only from then on', async () => {
  vi.useFakeTimers();
  const agent = spawn('sleep', ['60']);
  try {
    const patience = new Patience(
      agent.pid ?? 0,
      () => rig.now,
      () => {},
    );
    expect(patience.awakeSince()).toBe(0);
    agent.kill('SIGSTOP');
    await vi.waitUntil(() => patience.awakeSince() === undefined);
    agent.kill('SIGCONT');
    await vi.waitUntil(() => patience.awakeSince() === rig.now);
    patience.lookAgain(10_000);
    rig.now += 12_000;
    expect(patience.awakeSince()).toBe(rig.now - 12_000);
    rig.now += 60_000;
    expect(patience.awakeSince()).toBe(rig.now);
    patience.dispose();
  } finally {
    agent.kill('SIGKILL');
    vi.useRealTimers();
  }
});

test('told to an agent that was stopped then: nobody can say where it is', async () => {
  const agent = spawn('sleep', ['60']);
  try {
    const door = rig.open({ pid: agent.pid ?? 0 });
    rig.say('SessionStart');
    fs.writeFileSync(rig.file('told'), TEXT);
    agent.kill('SIGSTOP');
    await expect.poll(async () => (await door.find(ID)).at).toBe('unknown');
  } finally {
    agent.kill('SIGKILL');
  }
});
