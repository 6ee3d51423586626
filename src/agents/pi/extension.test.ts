// pi's side of its door against a pi that a test plays: what is refused was never handed over, and nothing else comes back.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Outbox } from '../extension/outbox.js';

const ID = '0123456789ab';
const TEXT = `[Input from: a (b) via sm send] #${ID}\ntext`;
const letter = { id: ID, text: TEXT, mode: 'sequential' as const };
const { default: suremail } = await import(new URL('./extension.mjs', import.meta.url).href);

let folder: string;
let place: string;
let hear: Map<string, (event: unknown, context: unknown) => void>;
let given: string[];
let key: (() => void) | undefined;
let pi: { model: object | undefined; hasKey: boolean; isIdle: boolean; hasPending: boolean; draft: string };

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-pi-'));
  place = path.join(folder, String(process.pid));
  vi.stubEnv('SM_DOOR', folder);
  hear = new Map();
  given = [];
  pi = { model: {}, hasKey: true, isIdle: true, hasPending: false, draft: '' };
  suremail({
    on: (event: string, listener: (event: unknown, context: unknown) => void) => hear.set(event, listener),
    sendUserMessage: (text: string) => given.push(text),
  });
  tell('session_start');
});
afterEach(() => {
  vi.useRealTimers();
  tell('session_shutdown', { reason: 'quit' });
  vi.unstubAllEnvs();
  fs.rmSync(folder, { recursive: true, force: true });
});

const context = {
  get model() {
    return pi.model;
  },
  modelRegistry: { hasConfiguredAuth: () => pi.hasKey },
  isIdle: () => pi.isIdle,
  hasPendingMessages: () => pi.hasPending,
  ui: {
    getEditorText: () => pi.draft,
    setEditorText: (text: string) => {
      pi.draft = text;
    },
    onTerminalInput: (listener: () => void) => {
      key = listener;
      return () => {
        key = undefined;
      };
    },
  },
};
const tell = (event: string, body: unknown = {}) => hear.get(event)?.(body, context);
const said = (): string[] =>
  fs
    .readFileSync(path.join(place, 'said.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id?: string; kind: string })
    .flatMap(({ id, kind }) => (id === ID ? [kind] : []));
const put = async (last: string) => {
  new Outbox(place).put(letter);
  await expect.poll(said).toContain(last);
};
const MINUTES = 10 * 60_000;

test.each([
  ['model', () => ({ model: undefined })],
  ['key', () => ({ hasKey: false })],
])('an idle one without a %s is not given a message', async (_what, lack) => {
  Object.assign(pi, lack());
  await put('refused');
  expect(given).toEqual([]);
});

test('a message that other extensions are long about stays with pi until it begins', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await put('queued');
  await vi.advanceTimersByTimeAsync(MINUTES);
  // A person presses keys, and a turn of theirs ends, meanwhile.
  key?.();
  tell('agent_start');
  tell('agent_end');
  await new Promise(setImmediate);
  expect(said()).toEqual(['handed', 'queued']);
  tell('message_start', { message: { role: 'user', content: TEXT } });
  expect(said().at(-1)).toBe('received');
  expect(given).toEqual([TEXT]);
});

test('what was seen in the queue of pi and is not there any more comes back', async () => {
  pi.isIdle = false;
  const isQueued = vi.spyOn(context, 'hasPendingMessages').mockReturnValueOnce(false).mockReturnValue(true);
  await put('queued');
  isQueued.mockRestore();
  pi.isIdle = true;
  tell('agent_end');
  await expect.poll(said).toEqual(['handed', 'queued', 'returned']);
});

test('what pi puts into the box is taken out, also when it was late to queue it', async () => {
  await put('queued');
  pi.draft = `${TEXT}\n\nmine`;
  key?.();
  await expect.poll(said).toEqual(['handed', 'queued', 'returned']);
  expect(pi.draft).toBe('mine');
});
