// The door against an extension that a test plays.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Emitter } from '../../tmux/index.js';
import type { DoorContext, DoorEvent, HookEvent } from '../door.js';
import { ExtensionDoor } from './door.js';
import type { ExtensionKind } from './kind.js';

const ID = '0123456789ab';
const { Mailbox } = await import(new URL('./mailbox.mjs', import.meta.url).href);
const KIND: ExtensionKind = {
  name: 'extension',
  place: ({ folder, program }) => path.join(folder, String(program.pid)),
  absent: 'none was given',
  carries: () => ({ kind: 'now' }),
};
const letter = { id: ID, text: 'a text', mode: 'sequential', speaks: 'prompt' } as const;

let folder: string;
let doors: ExtensionDoor[] = [];
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-door-'));
});
afterEach(() => {
  for (const door of doors) door.dispose();
  doors = [];
  fs.rmSync(folder, { recursive: true, force: true });
});

async function open(kind = KIND): Promise<{ door: ExtensionDoor; events: DoorEvent[] }> {
  const context: DoorContext = {
    session: { id: 's', name: 's', cwd: '/', origin: 'started' },
    program: { pid: process.pid, argv: [] },
    env: {},
    version: null,
    folder,
    facts: {},
    saveFacts: async () => {},
    onHook: new Emitter<HookEvent>().event,
    clock: Date.now,
    log: () => {},
  };
  const door = new ExtensionDoor(context, kind);
  doors.push(door);
  const events: DoorEvent[] = [];
  door.onEvent((event) => events.push(event));
  await Promise.resolve();
  return { door, events };
}

const begin = () => {
  const box = new Mailbox(path.join(folder, String(process.pid)));
  box.hello();
  return box;
};

describe('a door', () => {
  test('is shut, with the reason, where no extension was given', async () => {
    const { door } = await open({ ...KIND, place: () => undefined });
    expect(door.state).toEqual({ kind: 'shut', reason: 'none was given' });
  });

  test('opens when the extension reports, also later', async () => {
    const { door } = await open();
    expect(door.state.kind).toBe('opening');
    begin();
    await expect.poll(() => door.state.kind).toBe('open');
  });

  test('takes the acknowledgement for accepted, and what was not taken back for refused', async () => {
    const box = begin();
    const { door } = await open();
    box.open(() => {
      const { id } = box.claim() ?? {};
      if (id) box.say({ kind: 'queued', id });
    });
    expect((await door.send(letter)).outcome).toBe('accepted');
    expect((await door.find(ID)).at).toBe('queue');
    expect(await door.withdraw(ID)).toBe(false);
    box.close();
    expect((await door.send({ ...letter, id: 'bbbbbbbbbbbb' })).outcome).toBe('refused');
  }, 10_000);

  test('tells what was received while nobody listened, and not what was returned: that is to be found', async () => {
    const box = begin();
    box.settle(ID, { kind: 'received', turn: 't', evidence: 'e' });
    box.settle('bbbbbbbbbbbb', { kind: 'returned', reason: 'r' });
    const { door, events } = await open();
    expect(events.map(({ kind }) => kind)).toEqual(['received', 'changed']);
    expect((await door.find(ID)).at).toBe('received');
    expect((await door.find('bbbbbbbbbbbb')).at).toBe('nowhere');
  });

  test('finds what was taken between two looks, and whoever is told of a line knows the lines behind it', async () => {
    const box = begin();
    const { door } = await open();
    const found: Promise<{ at: string }>[] = [];
    door.onEvent(({ kind }) => kind === 'turn_started' && found.push(door.find(ID)));
    const lines = [
      { kind: 'turn_started', turn: 't' },
      { kind: 'received', id: ID, turn: 't', evidence: 'e' },
    ].map((line) => `${JSON.stringify({ at: 1, ...line })}\n`);
    fs.appendFileSync(path.join(folder, String(process.pid), 'said.jsonl'), lines.join(''));
    await expect.poll(() => found.length).toBe(1);
    expect((await found[0])?.at).toBe('received');
    expect(box.held()).toEqual([]);
  });

  test('is shut where its folder cannot be watched, and ends nothing else', async () => {
    fs.rmSync(folder, { recursive: true });
    const { door } = await open();
    expect(door.state.kind).toBe('shut');
  });

  test('that was refused carries nothing until the agent works again', async () => {
    const box = begin();
    const { door } = await open();
    box.settle(ID, { kind: 'refused', reason: 'no model' });
    await expect.poll(() => door.carries(letter).kind).toBe('no');
    box.say({ kind: 'turn_started', turn: 't' });
    await expect.poll(() => door.carries(letter).kind).toBe('now');
  });
});
