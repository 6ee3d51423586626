// Gemini's door by its hooks alone: what waits for the end of a turn, what proves it was taken, and what brings it back.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Emitter } from '../../tmux/index.js';
import type { Door, DoorContext, DoorEvent, HookEvent, LaunchContext } from '../door.js';
import { findInChat } from './chat-file.js';
import { GeminiDoor } from './door.js';
import { geminiDoor } from './index.js';
import { launchGemini } from './launch.js';
import { ageOf, startOf } from './process-start.js';

const ID = '0123456789ab';
const TEXT = `[Input from: a (b) via sm send] #${ID}\ntext`;
const letter = { id: ID, text: TEXT, mode: 'sequential', speaks: 'prompt' } as const;

let folder: string;
let hooks: Emitter<HookEvent>;
let door: GeminiDoor;
let unknown: Door;
let events: DoorEvent[];
let facts: Record<string, string>;
let context: DoorContext;
let chat: string;
beforeEach(() => {
  vi.useFakeTimers();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-gemini-'));
  hooks = new Emitter<HookEvent>();
  events = [];
  facts = {};
  chat = path.join(folder, 'chat.jsonl');
  fs.writeFileSync(chat, '');
  context = {
    session: { id: 's', name: 's', cwd: '/', origin: 'started' },
    program: { pid: process.pid, argv: [] },
    env: {},
    version: null,
    folder,
    facts: {},
    saveFacts: async (saved) => {
      facts = saved;
    },
    onHook: hooks.event,
    clock: Date.now,
    log: () => {},
  };
  door = open();
  unknown = geminiDoor.open({ ...context, version: '0.60.9' });
});
afterEach(() => {
  door.dispose();
  vi.useRealTimers();
  fs.rmSync(folder, { recursive: true, force: true });
});

function open(more: Partial<DoorContext> = {}): GeminiDoor {
  const opened = new GeminiDoor({ ...context, ...more }, true);
  opened.onEvent((event) => events.push(event));
  return opened;
}
// The daemon was killed, and another runs.
const restart = () => {
  door.dispose();
  hooks = new Emitter<HookEvent>();
  events = [];
  door = open({ onHook: hooks.event, facts });
};
// Files are dated by the system's clock, which is a few milliseconds behind.
const now = () => vi.getRealSystemTime();
const hookAt = (at: number, event: string, body: Record<string, unknown> = {}) =>
  hooks.fire({ event, at, body: { session_id: 'one', transcript_path: chat, ...body } });
const hook = (event: string, body: Record<string, unknown> = {}) => hookAt(now() + 20, event, body);
const kinds = () =>
  events.flatMap((event) => (event.kind === 'status' ? [event.status.state] : [event.kind]));
// As hook.sh does it: it tells, then it takes.
const handAtEnd = () => {
  hookAt(now() - 100, 'AfterAgent', { prompt_response: 'one ' });
  fs.renameSync(path.join(folder, 'AfterAgent.say'), path.join(folder, 'AfterAgent.said'));
};
const prompt = JSON.stringify({ id: 'x', type: 'user', content: [{ text: TEXT }] });
const MINUTES = 10 * 60_000;

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
    handAtEnd();
    hook('BeforeAgent', { prompt: TEXT });
    expect(kinds()).not.toContain('received');
    hook('AfterAgent', { prompt_response: 'one \ntwo ', stop_hook_active: true });
    expect(events.find(({ kind }) => kind === 'received')).toMatchObject({ id: ID });
    expect(events.findLast(({ kind }) => kind === 'turn_ended')).toMatchObject({
      answer: 'two',
      how: 'completed',
    });
    expect(kinds().at(-1)).toBe('idle');
    // Its chat file may be behind.
    expect((await door.find(ID)).at).toBe('received');
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
    handAtEnd();
    hook('BeforeAgent', { prompt: 'something else' });
    await vi.advanceTimersByTimeAsync(2000);
    await vi.waitFor(() => expect(kinds()).toContain('returned'));
  });

  test('stays with Gemini while hooks of the user run, however long', async () => {
    hook('BeforeAgent', { prompt: 'a prompt' });
    await door.send(letter);
    handAtEnd();
    await vi.advanceTimersByTimeAsync(MINUTES);
    expect(kinds()).not.toContain('returned');
    expect((await door.find(ID)).at).toBe('queue');
    // Other mail finds another way meanwhile.
    expect(door.carries(letter).kind).toBe('no');
    hook('BeforeAgent', { prompt: TEXT });
    hook('AfterTool');
    expect(kinds()).toContain('received');
  });

  test.each(['received', 'returned'])('whose turn ended without a word: %s, by its chat', async (which) => {
    hook('BeforeAgent', { prompt: 'a prompt' });
    await door.send(letter);
    handAtEnd();
    hook('BeforeAgent', { prompt: TEXT });
    if (which === 'received') fs.writeFileSync(chat, `${prompt}\n`);
    hook('AfterAgent', { prompt_response: 'one ', stop_hook_active: true });
    await vi.advanceTimersByTimeAsync(2000);
    await vi.waitFor(() => expect(kinds()).toContain(which));
    expect(kinds().filter((kind) => kind === 'received' || kind === 'returned')).toEqual([which]);
  });

  test('that was interrupted before it began is not proved by what the next turn does', async () => {
    hook('BeforeAgent', { prompt: 'a prompt' });
    await door.send(letter);
    handAtEnd();
    hook('BeforeAgent', { prompt: TEXT });
    hook('BeforeAgent', { prompt: 'something else' });
    hook('AfterTool');
    hook('AfterAgent', { prompt_response: 'two' });
    await vi.advanceTimersByTimeAsync(2000);
    await vi.waitFor(() => expect(kinds().at(-1)).toBe('returned'));
    expect(kinds()).not.toContain('received');
    expect(events.findLast(({ kind }) => kind === 'turn_ended')).toMatchObject({ answer: 'two' });
  });

  test('is neither received nor returned when its chat cannot be read', async () => {
    hook('BeforeAgent', { prompt: 'a prompt' });
    await door.send(letter);
    handAtEnd();
    hook('BeforeAgent', { prompt: TEXT });
    fs.rmSync(chat);
    hook('AfterAgent', { prompt_response: 'one ', stop_hook_active: true });
    await vi.advanceTimersByTimeAsync(2000);
    await vi.waitFor(() => expect(kinds().at(-1)).toBe('idle'));
    expect(kinds()).not.toContain('received');
    expect(kinds()).not.toContain('returned');
    expect((await door.find(ID)).at).toBe('unknown');
    // Once it can be read, it tells.
    fs.writeFileSync(chat, `${prompt}\n`);
    expect((await door.find(ID)).at).toBe('received');
  });
});

describe('over a restart of the daemon', () => {
  test('the conversation is known, and another one that is heard first is not taken for it', async () => {
    hook('SessionStart', { source: 'startup' });
    hook('BeforeAgent', { prompt: 'a prompt' });
    restart();
    hook('SessionStart', { session_id: 'inner', source: 'startup' });
    hook('BeforeAgent', { session_id: 'inner', prompt: 'x' });
    expect(door.state.kind).toBe('opening');
    hook('AfterTool');
    expect(door.state.kind).toBe('open');
    expect(door.carries(letter).kind).toBe('now');
  });

  test('hooks from before it was handed over say nothing of a message', async () => {
    hook('BeforeAgent', { prompt: 'a prompt' });
    await door.send(letter);
    const before = now() - 200;
    handAtEnd();
    restart();
    hookAt(before, 'BeforeAgent', { prompt: 'another prompt' });
    hookAt(before + 1, 'AfterAgent', { prompt_response: 'one ' });
    await vi.advanceTimersByTimeAsync(MINUTES);
    expect(kinds()).not.toContain('returned');
    hook('BeforeAgent', { prompt: TEXT });
    hook('AfterAgent', { prompt_response: 'one \ntwo ', stop_hook_active: true });
    expect(kinds()).toContain('received');
  });

  test('a turn whose begin an earlier daemon heard has taken what its chat shows', async () => {
    hook('BeforeAgent', { prompt: 'a prompt' });
    await door.send(letter);
    handAtEnd();
    hook('BeforeAgent', { prompt: TEXT });
    fs.writeFileSync(chat, `${prompt}\n`);
    restart();
    hook('AfterAgent', { prompt_response: 'one \ntwo ', stop_hook_active: true });
    await vi.advanceTimersByTimeAsync(2000);
    await vi.waitFor(() => expect(kinds().slice(-3)).toEqual(['received', 'turn_ended', 'idle']));
  });

  test('what an earlier process was given is left to the records of that one', async () => {
    hook('BeforeAgent', { prompt: 'a prompt' });
    await door.send(letter);
    handAtEnd();
    facts = {};
    restart();
    hook('SessionStart', { session_id: 'two', source: 'startup' });
    hook('BeforeAgent', { session_id: 'two', prompt: 'a prompt' });
    await vi.advanceTimersByTimeAsync(MINUTES);
    expect(kinds()).not.toContain('returned');
    expect(door.carries(letter).kind).toBe('now');
  });
});

test('what waits for the hook of a process that is gone is taken back, and its chat tells of the rest', async () => {
  const { findLast } = geminiDoor;
  hook('BeforeAgent', { prompt: 'a prompt' });
  await door.send(letter);
  expect((await findLast?.(facts, ID))?.at).toBe('nowhere');
  expect(fs.existsSync(path.join(folder, 'AfterAgent.say'))).toBe(false);
  vi.useRealTimers();
  fs.writeFileSync(chat, `${prompt}\n`);
  expect((await findLast?.(facts, ID))?.at).toBe('received');
});

describe('which conversation is that of the pane', () => {
  const inner = { session_id: 'inner', transcript_path: '' };

  test('hooks of a process that was there before are not heard', () => {
    hookAt(1, 'BeforeAgent', { session_id: 'before', prompt: 'a prompt' });
    expect(events).toEqual([]);
    hook('SessionStart', { source: 'startup' });
    expect(kinds()).toEqual(['changed', 'idle']);
  });

  // Where the system does not tell since when a process runs.
  test('a start replaces what was heard of one that is gone, and its mail comes back', async () => {
    door.dispose();
    door = open({ program: { pid: 2 ** 30, argv: [] } });
    hookAt(1, 'BeforeAgent', { session_id: 'before', prompt: 'a prompt' });
    await door.send(letter);
    hook('SessionStart', { source: 'startup' });
    expect(kinds().slice(-2)).toEqual(['returned', 'idle']);
    hook('BeforeAgent', { prompt: 'a prompt' });
    expect(door.carries(letter).kind).toBe('now');
  });

  test('one that is started inside a tool is not, from its start to its end', async () => {
    hook('SessionStart', { source: 'startup' });
    hook('BeforeAgent', { prompt: 'a prompt' });
    await door.send(letter);
    events = [];
    hook('SessionStart', { ...inner, source: 'startup' });
    hook('BeforeAgent', { ...inner, prompt: 'x' });
    hook('AfterAgent', { ...inner, prompt_response: 'y' });
    hook('SessionEnd', { ...inner, reason: 'exit' });
    expect(events).toEqual([]);
    handAtEnd();
    expect(kinds()).toContain('turn_ended');
  });

  test('one that was heard first and has ended was not', () => {
    hook('AfterTool', inner);
    hook('SessionEnd', { ...inner, reason: 'exit' });
    hook('AfterTool');
    expect(facts.conversation).toBe('one');
  });

  test('one that the person begins or chooses is, and mail for the one before comes back', async () => {
    hook('SessionStart', { source: 'startup' });
    hook('BeforeAgent', { prompt: 'a prompt' });
    await door.send(letter);
    hook('SessionStart', { session_id: 'cleared', source: 'clear' });
    expect(kinds().slice(-2)).toEqual(['returned', 'idle']);
    // Gemini has no hook for this.
    hook('BeforeAgent', { session_id: 'chosen', prompt: 'a prompt' });
    expect(facts.conversation).toBe('chosen');
    expect(door.carries(letter).kind).toBe('now');
  });
});

test.each([
  ['00:05', 5],
  ['01:02:03', 3723],
  [' 2-00:00:01\n', 172_801],
])('%s is an age', (etime, seconds) => expect(ageOf(etime)).toBe(seconds * 1000));

test('the start of a process is told, and never too late', () => {
  const lived = now() - (startOf(process.pid, now()) ?? 0);
  expect(lived).toBeGreaterThanOrEqual(process.uptime() * 1000);
  expect(lived).toBeLessThan(process.uptime() * 1000 + 5000);
  expect(startOf(2 ** 30, now())).toBeUndefined();
});

test('a permission that is asked for is known, and a Gemini inside a tool is not heard', () => {
  hook('BeforeAgent', { prompt: 'a prompt' });
  hook('Notification', { notification_type: 'ToolPermission' });
  expect(kinds().at(-1)).toBe('waiting');
  hook('AfterAgent', { session_id: 'inner', prompt_response: 'x' });
  expect(kinds().at(-1)).toBe('waiting');
});

test.each([
  [['gemini'], 'read your mail', true],
  [['node', 'gemini.js', '-i', 'hello'], 'read your mail', true],
  [['gemini'], null, false],
  [['gemini', '-p', 'hello'], 'read your mail', false],
  [['gemini', 'mcp', 'list'], 'read your mail', false],
])('%j with the briefing %j is told about mail: %j', (command, briefing, isTold) => {
  const launched = launchGemini({ command, folder, briefing } as unknown as LaunchContext);
  expect(launched).toEqual({ command, env: {} });
  expect(fs.existsSync(path.join(folder, 'SessionStart.say'))).toBe(isTold);
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
  const file = chat;
  const warning = JSON.stringify({ id: 'y', type: 'warning', content: TEXT });
  fs.writeFileSync(file, `${warning}\n`);
  expect((await findInChat(file, ID)).at).toBe('nowhere');
  fs.appendFileSync(file, `${prompt}\n{"$set":{"lastUpdated":"now"}}\n`);
  expect((await findInChat(file, ID)).at).toBe('received');
  fs.appendFileSync(file, '{"$set":{"messages":[]}}\n');
  expect((await findInChat(file, ID)).at).toBe('nowhere');
});
