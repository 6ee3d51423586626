// Copilot's side of its door against a Copilot that a test plays: only one that rests has let go of a message.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Outbox } from '../extension/outbox.js';

const ID = '0123456789ab';
const TEXT = `[Input from: a (b) via sm send] #${ID}\ntext`;

type Event = { type: string; data: Record<string, unknown> };
const copilot = vi.hoisted(() => ({
  hear: (_event: { type: string; data: Record<string, unknown> }) => {},
  sent: [] as string[],
  queue: [] as string[],
}));
vi.mock('@github/copilot-sdk/extension', () => ({
  joinSession: async () => ({
    on: (listener: (event: Event) => void) => {
      copilot.hear = listener;
    },
    send: async ({ prompt }: { prompt: string }) => {
      copilot.sent.push(prompt);
    },
    rpc: {
      queue: {
        pendingItems: async () => ({
          items: copilot.queue.map((displayText) => ({ displayText })),
          steeringMessages: [],
        }),
      },
      permissions: { pendingRequests: async () => ({ items: [] }) },
    },
  }),
}));
vi.mock('./pane-process.mjs', () => ({ paneProcess: () => 7 }));

let folder: string;
let place: string;
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-copilot-'));
  place = path.join(folder, '7');
  vi.stubEnv('SM_DOOR', folder);
  vi.resetModules();
  Object.assign(copilot, { sent: [], queue: [] });
  await import('./extensions/suremail/extension.mjs' as string);
});
afterEach(() => {
  vi.unstubAllEnvs();
  fs.rmSync(folder, { recursive: true, force: true });
});

const said = (): string[] =>
  fs
    .readFileSync(path.join(place, 'said.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id?: string; kind: string })
    .flatMap(({ id, kind }) => (id === ID ? [kind] : []));
const give = async () => {
  new Outbox(place).put({ id: ID, text: TEXT, mode: 'sequential' });
  await expect.poll(said).toEqual(['handed', 'queued']);
  expect(copilot.sent).toEqual([TEXT]);
};
const hear = (type: string, data: Record<string, unknown> = {}) => copilot.hear({ type, data });
// Longer than its record is behind.
const RECORDED_MS = 1300;
const recorded = () => delay(RECORDED_MS);

test('what is neither shown nor queued when Copilot rests comes back', async () => {
  await give();
  hear('session.idle');
  await expect.poll(said, { timeout: 5000 }).toEqual(['handed', 'queued', 'returned']);
});

test('what is in its queue stays', async () => {
  copilot.queue = [TEXT];
  await give();
  hear('session.idle');
  await recorded();
  expect(said()).toEqual(['handed', 'queued']);
});

test('when a turn has begun meanwhile, it may be the one that takes it', async () => {
  await give();
  hear('session.idle');
  hear('assistant.turn_start', { interactionId: 'a' });
  await recorded();
  expect(said()).toEqual(['handed', 'queued']);
  hear('user.message', { interactionId: 'a', content: TEXT });
  expect(said().at(-1)).toBe('received');
});

test('when something was sent meanwhile, the end of that tells', async () => {
  await give();
  hear('session.idle');
  new Outbox(place).put({ id: 'bbbbbbbbbbbb', text: 'another', mode: 'sequential' });
  await recorded();
  expect(said()).toEqual(['handed', 'queued']);
  hear('session.idle');
  await expect.poll(said, { timeout: 5000 }).toContain('returned');
});
