import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Emitter } from '../../tmux/index.js';
import type { DoorEvent, HookEvent } from '../door.js';
import { BELL } from '../mark.js';
import { ClaudeDoor } from './door.js';
import { findLast } from './last.js';

const ID = '0123456789ab';
const HEADER = `[Input from: user via sm send] #${ID}`;
const RUNG = `${HEADER} ${BELL}`;
const LETTER = { id: ID, text: `${HEADER}\nfirst "line"\n\\ second: ünï` };

let folder: string;
let transcript: string;
let now: number;
let hooks: Emitter<HookEvent>;
let told: DoorEvent[];
let door: ClaudeDoor;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smu-bell-'));
  for (const name of ['sessions', 'projects']) fs.mkdirSync(path.join(folder, name));
  transcript = path.join(folder, 'projects', 'c1.jsonl');
  now = Date.now();
  told = [];
  hooks = new Emitter();
  registry('idle');
  write({ type: 'mode' });
  door = new ClaudeDoor(
    {
      session: { id: 's', name: 's', cwd: folder, origin: 'started' },
      program: { pid: process.pid, argv: [] },
      env: { CLAUDE_CONFIG_DIR: folder },
      version: '2.1.325',
      folder,
      facts: {},
      saveFacts: async () => {},
      onHook: hooks.event,
      clock: () => now,
      log: () => {},
    },
    true,
  );
  door.onEvent((event) => told.push(event));
});
afterEach(() => {
  door.dispose();
  fs.rmSync(folder, { recursive: true, force: true });
});

const registry = (status: string): void =>
  fs.writeFileSync(
    path.join(folder, 'sessions', `${process.pid}.json`),
    JSON.stringify({ pid: process.pid, sessionId: 'c1', status, statusUpdatedAt: now }),
  );
const say = (event: string, fields: Record<string, unknown> = {}): void =>
  hooks.fire({ event, at: now, body: { session_id: 'c1', transcript_path: transcript, ...fields } });
const write = (line: unknown): void => fs.appendFileSync(transcript, `${JSON.stringify(line)}\n`);
const file = (): string => path.join(folder, 'UserPromptSubmit.for', ID);
const prompt = (content: string): void =>
  write({ type: 'user', promptSource: 'typed', promptId: 't1', message: { content } });
const added = (content: string): void =>
  write({
    type: 'attachment',
    attachment: { type: 'hook_additional_context', hookEvent: 'UserPromptSubmit', content: [content] },
  });
const received = (): unknown[] =>
  told.flatMap((event) => (event.kind === 'received' ? [[event.id, event.turn, event.evidence]] : []));
const ring = (): void => {
  say('SessionStart');
  expect(door.bell.put(LETTER)).toBe(true);
};

test('the text is left as the hook is to print it, for nobody else to read', () => {
  ring();
  expect(JSON.parse(fs.readFileSync(file(), 'utf8'))).toEqual({
    hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: LETTER.text },
  });
  expect(fs.statSync(file()).mode & 0o777).toBe(0o600);
  expect(fs.readdirSync(path.dirname(file()))).toEqual([ID]);
});

test.each<[string, () => Promise<void> | void]>([
  ['no hook has come', () => {}],
  [
    'a turn runs',
    async () => {
      say('SessionStart');
      registry('busy');
      await expect.poll(() => door.status?.state).toBe('busy');
    },
  ],
  [
    'it keeps no transcript',
    () => {
      say('SessionStart');
      fs.rmSync(transcript);
    },
  ],
])('typed whole: %s', async (_, set) => {
  await set();
  expect(door.bell.put(LETTER)).toBe(false);
  expect(fs.existsSync(file())).toBe(false);
});

test('the bell is not the message: received by its text alone, and then the file goes', () => {
  ring();
  say('UserPromptSubmit', { prompt: RUNG, prompt_id: 't1' });
  prompt(RUNG);
  say('PostToolUse');
  expect(received()).toEqual([]);
  added(LETTER.text);
  say('PostToolUse');
  expect(received()).toEqual([[ID, 't1', 'transcript: hook_additional_context']]);
  expect(fs.existsSync(file())).toBe(false);
});

test.each<[string, () => void, string]>([
  ['nothing shows it yet', () => {}, 'queue'],
  ['its bell was taken this moment', () => prompt(RUNG), 'queue'],
  [
    'its text was taken with it',
    () => {
      prompt(RUNG);
      added(LETTER.text);
      write({ type: 'assistant', message: {} });
    },
    'received',
  ],
  [
    'its bell was answered without it',
    () => {
      prompt(RUNG);
      write({ type: 'assistant', message: {} });
    },
    'nowhere',
  ],
  [
    'only a sub-agent has answered',
    () => {
      prompt(RUNG);
      write({ type: 'assistant', isSidechain: true, message: {} });
    },
    'queue',
  ],
  [
    'the person stopped it before it had its text',
    () => {
      prompt(RUNG);
      write({ type: 'user', message: { content: [{ type: 'text', text: 'stopped' }] } });
    },
    'nowhere',
  ],
  [
    'it was too long, and only its beginning was taken',
    () => {
      prompt(RUNG);
      added(`<persisted-output>\n${LETTER.text}`);
      write({ type: 'assistant', message: {} });
    },
    'nowhere',
  ],
  [
    'another hook has said the bell again',
    () => {
      prompt(RUNG);
      added(RUNG);
      write({ type: 'assistant', message: {} });
    },
    'nowhere',
  ],
])('where it is: %s', async (_, set, at) => {
  ring();
  set();
  expect((await door.find(ID)).at).toBe(at);
  // What is sent again must not be brought by a bell any more.
  expect(fs.existsSync(file())).toBe(at === 'queue');
});

test.each<[string, () => void, string]>([
  ['never taken', () => {}, 'nowhere'],
  ['in its queue', () => write({ type: 'queue-operation', operation: 'enqueue', content: RUNG }), 'queue'],
  [
    'taken out of its queue by the person',
    () => {
      write({ type: 'queue-operation', operation: 'enqueue', content: RUNG });
      write({ type: 'queue-operation', operation: 'popAll', content: RUNG });
    },
    'nowhere',
  ],
])('its agent is idle for long: %s', async (_, set, at) => {
  ring();
  set();
  now += 60_000;
  expect((await door.find(ID)).at).toBe(at);
});

test('a bell without its text: the next message is typed whole, until a hook is heard again', async () => {
  ring();
  prompt(RUNG);
  write({ type: 'assistant', message: {} });
  await door.find(ID);
  expect(door.bell.put(LETTER)).toBe(false);
  say('Notification');
  expect(door.bell.put(LETTER)).toBe(true);
});

test.each<[string, () => void, string]>([
  ['with its text', () => added(LETTER.text), 'received'],
  ['without it', () => {}, 'nowhere'],
])('its process has ended: the bell was taken %s', async (_, set, at) => {
  ring();
  prompt(RUNG);
  set();
  expect((await findLast({ conversation: 'c1', transcript, folder }, ID)).at).toBe(at);
});

test('it has ended without its text: nothing is left for the next process', async () => {
  ring();
  await findLast({ conversation: 'c1', transcript, folder }, ID);
  expect(fs.existsSync(file())).toBe(false);
});
