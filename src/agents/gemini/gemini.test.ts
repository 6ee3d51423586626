// Gemini's door by its hooks alone: what waits for the end of a turn, what proves it was taken, and what brings it back.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Emitter } from '../../tmux/index.js';
import type { Door, DoorContext, DoorEvent, HookEvent } from '../door.js';
import { findInChat } from './chat-file.js';
import { GeminiDoor } from './door.js';
import { geminiDoor } from './index.js';

const ID = '0123456789ab';
const TEXT = `[Input from: a (b) via sm send] #${ID}\ntext`;
const letter = { id: ID, text: TEXT, mode: 'sequential', speaks: 'prompt' } as const;

let folder: string;
let hooks: Emitter<HookEvent>;
let door: GeminiDoor;
let unknown: Door;
let events: DoorEvent[];
beforeEach(() => {
  vi.useFakeTimers();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-gemini-'));
  hooks = new Emitter<HookEvent>();
  events = [];
  const context: DoorContext = {
    session: { id: 's', name: 's', cwd: '/', origin: 'started' },
    program: { pid: process.pid, argv: [] },
    env: {},
    version: null,
    folder,
    facts: {},
    saveFacts: async () => {},
    onHook: hooks.event,
    clock: Date.now,
    log: () => {},
  };
  door = new GeminiDoor(context, true);
  unknown = geminiDoor.open({ ...context, version: '0.60.9' });
  door.onEvent((event) => events.push(event));
});
afterEach(() => {
  door.dispose();
  vi.useRealTimers();
  fs.rmSync(folder, { recursive: true, force: true });
});

const hook = (event: string, body: Record<string, unknown> = {}) =>
  hooks.fire({ event, at: 1, body: { session_id: 'one', ...body } });
const kinds = () =>
  events.flatMap((event) => (event.kind === 'status' ? [event.status.state] : [event.kind]));
// As hook.sh does it.
const take = () => fs.renameSync(path.join(folder, 'AfterAgent.say'), path.join(folder, 'AfterAgent.said'));

test('a version that was never tried has no door', () => {
  hook('SessionStart', { source: 'startup' });
  expect(unknown.state.kind).toBe('shut');
});

describe('a message', () => {
  test('needs another way when no turn runs', () => {
    hook('SessionStart', { source: 'startup' });
    expect(door.state.kind).toBe('open');
    expect(door.carries(letter).kind).toBe('no');
  });

  test('waits for the end of the turn, one at a time, and can be taken back', async () => {
    hook('BeforeAgent', { prompt: 'a prompt' });
    expect((await door.send(letter)).outcome).toBe('accepted');
    expect(door.carries(letter).kind).toBe('later');
    expect((await door.find(ID)).at).toBe('queue');
    expect(await door.withdraw(ID)).toBe(true);
    expect((await door.find(ID)).at).toBe('nowhere');
  });

  test('is received when its turn has given an answer', async () => {
    hook('BeforeAgent', { prompt: 'a prompt' });
    await door.send(letter);
    take();
    hook('AfterAgent', { prompt_response: 'one ' });
    hook('BeforeAgent', { prompt: TEXT });
    expect(kinds()).not.toContain('received');
    hook('AfterAgent', { prompt_response: 'one \ntwo ', stop_hook_active: true });
    expect(events.find(({ kind }) => kind === 'received')).toMatchObject({ id: ID });
    expect(events.findLast(({ kind }) => kind === 'turn_ended')).toMatchObject({
      answer: 'two',
      how: 'completed',
    });
    expect(kinds().at(-1)).toBe('idle');
  });

  test('is returned when the hook came too early for it', async () => {
    hook('BeforeAgent', { prompt: 'a prompt' });
    await door.send(letter);
    hook('AfterAgent', { prompt_response: 'one' });
    await vi.advanceTimersByTimeAsync(600);
    expect(kinds().slice(-2)).toEqual(['returned', 'idle']);
  });

  test('is returned when another prompt follows', async () => {
    hook('BeforeAgent', { prompt: 'a prompt' });
    await door.send(letter);
    take();
    hook('AfterAgent', { prompt_response: 'one' });
    hook('BeforeAgent', { prompt: 'something else' });
    expect(kinds()).toContain('returned');
  });
});

test('a permission that is asked for is known, and a Gemini inside a tool is not heard', () => {
  hook('BeforeAgent', { prompt: 'a prompt' });
  hook('Notification', { notification_type: 'ToolPermission' });
  expect(kinds().at(-1)).toBe('waiting');
  hook('AfterAgent', { session_id: 'inner', prompt_response: 'x' });
  expect(kinds().at(-1)).toBe('waiting');
});

test('without a hook it is shut and says what to do', async () => {
  await vi.advanceTimersByTimeAsync(21_000);
  expect(door.state).toMatchObject({
    kind: 'shut',
    reason: expect.stringContaining('sm hooks install gemini'),
  });
});

test('what was cancelled is no longer in its chat', async () => {
  vi.useRealTimers();
  const file = path.join(folder, 'chat.jsonl');
  const prompt = JSON.stringify({ id: 'x', type: 'user', content: [{ text: TEXT }] });
  const warning = JSON.stringify({ id: 'y', type: 'warning', content: TEXT });
  fs.writeFileSync(file, `${warning}\n`);
  expect((await findInChat(file, ID)).at).toBe('nowhere');
  fs.appendFileSync(file, `${prompt}\n{"$set":{"lastUpdated":"now"}}\n`);
  expect((await findInChat(file, ID)).at).toBe('received');
  fs.appendFileSync(file, '{"$set":{"messages":[]}}\n');
  expect((await findInChat(file, ID)).at).toBe('nowhere');
});
