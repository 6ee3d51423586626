import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Emitter } from '../../tmux/index.js';
import type { DoorEvent, HookEvent } from '../door.js';
import { ClaudeDoor } from './door.js';
import { findLast, hearLast } from './last.js';

const ID = '0123456789ab';
const TEXT = `[Input from: a (0a1b2c3d) via sm send] #${ID}\nhello`;
const CONVERSATION = 'c1';
// More than any system gives to a process.
const NOBODY = 99_999_999;

let folder: string;
let transcript: string;
let now: number;
let facts: Record<string, string>;
let hooks: Emitter<HookEvent>;
let told: DoorEvent[];
let door: ClaudeDoor | undefined;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smu-claude-'));
  for (const name of ['sessions', 'projects', 'inbox']) fs.mkdirSync(path.join(folder, name));
  transcript = path.join(folder, 'projects', `${CONVERSATION}.jsonl`);
  now = Date.now();
  facts = {};
  told = [];
});
afterEach(() => {
  door?.dispose();
  fs.rmSync(folder, { recursive: true, force: true });
});

function open(): ClaudeDoor {
  door?.dispose();
  hooks = new Emitter();
  door = new ClaudeDoor(
    {
      session: { id: 's', name: 's', cwd: folder, origin: 'started' },
      program: { pid: process.pid, argv: [] },
      env: { CLAUDE_CONFIG_DIR: folder },
      version: '2.1.325',
      folder,
      facts,
      saveFacts: async (given) => {
        facts = given;
      },
      onHook: hooks.event,
      clock: () => now,
      log: () => {},
    },
    true,
  );
  door.onEvent((event) => told.push(event));
  return door;
}

const registry = (status: string, since: number): void =>
  fs.writeFileSync(
    path.join(folder, 'sessions', `${process.pid}.json`),
    JSON.stringify({ pid: process.pid, sessionId: CONVERSATION, status, statusUpdatedAt: since }),
  );
const hook = (event: string, fields: Record<string, unknown> = {}): HookEvent => ({
  event,
  at: now,
  body: { session_id: CONVERSATION, transcript_path: transcript, ...fields },
});
const say = (event: string, fields?: Record<string, unknown>): void => hooks.fire(hook(event, fields));
const write = (line: unknown, to = transcript): void => fs.appendFileSync(to, `${JSON.stringify(line)}\n`);
const user = (turn: string, content = TEXT): unknown => ({
  type: 'user',
  promptSource: 'queued',
  promptId: turn,
  message: { content },
});
const file = (ending: string): string => path.join(folder, 'inbox', `${ID}.${ending}`);
const received = (): unknown[] =>
  told.flatMap((event) => (event.kind === 'received' ? [[event.id, event.turn, event.evidence]] : []));

test('put and never rung for: taken back, so that it can be sent again', async () => {
  registry('idle', now);
  fs.writeFileSync(file('msg'), TEXT);
  expect((await open().find(ID)).at).toBe('nowhere');
  expect(fs.existsSync(file('msg'))).toBe(false);
});

test('said to be handed over, and the agent idle ever since: it never was', async () => {
  registry('idle', now - 60_000);
  fs.writeFileSync(file('told'), TEXT);
  const one = open();
  expect((await one.find(ID)).at).toBe('queue');
  now += 11_000;
  expect((await one.find(ID)).at).toBe('nowhere');
  expect(fs.existsSync(file('told'))).toBe(false);
});

test.each<[string, () => void, string]>([
  ['it works', () => registry('busy', now), 'queue'],
  ['it worked, and keeps no transcript', () => registry('idle', now + 5000), 'queue'],
  [
    'its own queue has it',
    () => {
      registry('idle', now - 1);
      write({ type: 'queue-operation', operation: 'enqueue', content: TEXT });
    },
    'queue',
  ],
  [
    'it took it before a /clear',
    () => {
      registry('idle', now + 5000);
      write({});
      write(user('t1'), path.join(folder, 'projects', 'earlier.jsonl'));
    },
    'received',
  ],
])('said to be handed over long ago: %s', async (_, set, at) => {
  fs.writeFileSync(file('told'), TEXT);
  set();
  const one = open();
  say('SessionStart', { source: 'compact' });
  now += 60_000;
  expect((await one.find(ID)).at).toBe(at);
});

test('mail that is typed into a turn after a restart is not received before the transcript shows it', () => {
  registry('busy', now);
  write(user('t1', 'work'));
  open();
  say('UserPromptSubmit', { prompt: TEXT, prompt_id: 't1' });
  say('Stop', { prompt_id: 't1', last_assistant_message: 'not for it' });
  expect(received()).toEqual([]);
  write(user('t2'));
  say('Stop', { prompt_id: 't2', last_assistant_message: 'for it' });
  expect(received()).toEqual([[ID, 't2', 'transcript: user, queued']]);
});

test('nor is mail that is typed into a turn that came out of the queue without a hook', () => {
  registry('idle', now);
  open();
  say('SessionStart', { source: 'startup' });
  write(user('t2', 'was queued'));
  say('UserPromptSubmit', { prompt: TEXT, prompt_id: 't2' });
  expect(received()).toEqual([]);
});

test('the turn that runs is known to the next daemon', () => {
  registry('idle', now);
  open();
  say('UserPromptSubmit', { prompt: 'work', prompt_id: 't1' });
  expect(facts.turn).toBe('t1');
  registry('busy', now);
  open();
  say('UserPromptSubmit', { prompt: TEXT, prompt_id: 't1' });
  expect(received()).toEqual([]);
});

test('lines of a transcript that was made between two hooks are read, and the file of the hook goes', () => {
  registry('idle', now);
  open();
  fs.writeFileSync(file('told'), TEXT);
  say('SessionStart', { source: 'startup' });
  write(user('t1'));
  say('PostToolUse');
  expect(received()).toEqual([[ID, 't1', 'transcript: user, queued']]);
  expect(fs.existsSync(file('told'))).toBe(false);
});

test('a waiter of an agent that was killed counts for nothing', () => {
  fs.symlinkSync(`${process.pid}.${process.pid}`, path.join(folder, 'waiter.c1'));
  fs.symlinkSync(`${process.pid}.${NOBODY}`, path.join(folder, 'waiter.c2'));
  facts = { conversation: 'c1' };
  expect(open().state.kind).toBe('open');
  facts = { conversation: 'c2' };
  expect(open().state.kind).toBe('opening');
});

test('a process that is gone: what was left for it is taken away, and its last hooks still tell', async () => {
  const last = { conversation: CONVERSATION, transcript, folder };
  fs.writeFileSync(file('told'), TEXT);
  write({});
  expect((await findLast(last, ID)).at).toBe('nowhere');
  expect(fs.existsSync(file('told'))).toBe(false);
  write(user('t1'));
  expect(hearLast(last, hook('UserPromptSubmit', { prompt: TEXT, prompt_id: 't0' }))).toMatchObject([
    { kind: 'received', id: ID, turn: 't1' },
  ]);
  expect(hearLast(last, hook('Stop', { prompt_id: 't1', last_assistant_message: 'ok' }))).toMatchObject([
    { kind: 'turn_ended', turn: 't1', answer: 'ok' },
  ]);
  expect(hearLast(last, hook('Stop', { session_id: 'nested' }))).toBeUndefined();
});

const state = (): string | undefined => door?.status?.state;
const ask = (command: string): void =>
  say('PermissionRequest', { tool_name: 'Bash', tool_input: { command } });
const ran = (command: string): void => say('PostToolUse', { tool_name: 'Bash', tool_input: { command } });

test('without a registry a question is open until its own tool has run, not another one', () => {
  open();
  say('SessionStart');
  say('UserPromptSubmit', { prompt: 'go' });
  ask('a');
  ask('b');
  ran('c');
  ran('a');
  expect(state()).toBe('waiting');
  ran('b');
  expect(state()).toBe('busy');
  ask('d');
  say('Stop');
  expect(state()).toBe('idle');
});

test("without a registry a person's Escape at a question is known by the transcript, and ends the turn", () => {
  open();
  say('SessionStart');
  say('UserPromptSubmit', { prompt: TEXT });
  ask('a');
  write({ type: 'user', message: { content: [{ type: 'tool_result' }] }, toolUseResult: 'no' });
  say('Notification');
  expect(state()).toBe('waiting');
  write({ type: 'user', isSidechain: false, message: { content: [{ type: 'text', text: 'x' }] } });
  say('Notification');
  expect(state()).toBe('idle');
  expect(told.at(-1)).toMatchObject({
    kind: 'turn_ended',
    how: 'interrupted',
    evidence: 'transcript: interrupted',
  });
  // The next prompt surely begins a turn.
  say('UserPromptSubmit', { prompt: TEXT });
  expect(received()).toHaveLength(2);
});
