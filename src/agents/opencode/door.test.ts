// OpenCode's door against a server that a test plays: when it opens, and which answer each turn ends with.
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DoorContext, DoorEvent } from '../door.js';
import { OpencodeDoor } from './door.js';
import { namesOf } from './ids.js';

const FIRST = namesOf('000000000001', 1).message;
const SECOND = namesOf('000000000002', 2).message;

let folder: string;
let server: http.Server;
let streams: http.ServerResponse[];
let door: OpencodeDoor;
let events: DoorEvent[];
let isBusy: boolean;
let failures: number;
let messages: unknown[];
let conversations: unknown[];
let begun: number;
let isScreenDeaf: boolean;
let aborts: number;
// What happens right after they were asked for.
let afterMessages: () => void;

const at = { sessionID: 'x' };
const user = (id: string, created: number) => ({
  info: { ...at, id, role: 'user', time: { created } },
  parts: [],
});
const answer = (parentID: string, created: number, finish?: string) => {
  const id = `msg_a${created}`;
  const text = { type: 'text', messageID: id, text: `answer ${created}` };
  return {
    info: { ...at, id, role: 'assistant', parentID, time: { created }, ...(finish && { finish }) },
    parts: [text],
  };
};
const conversation = (id: string, created: number) => ({
  id,
  directory: '/',
  time: { created, updated: created },
});
const say = (type: string, properties: object): void => {
  for (const stream of streams) stream.write(`data: ${JSON.stringify({ type, properties })}\n\n`);
};
const states = () => events.flatMap((event) => (event.kind === 'status' ? [event.status.state] : []));
const ends = () =>
  events.flatMap((event) => (event.kind === 'turn_ended' ? [[event.turn, event.answer]] : []));

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-opencode-'));
  streams = [];
  events = [];
  isBusy = false;
  failures = 0;
  messages = [];
  conversations = [];
  begun = 0;
  isScreenDeaf = false;
  aborts = 0;
  afterMessages = () => {};
  server = http.createServer(({ url = '', method }, response) => {
    if (url === '/event') {
      streams.push(response.writeHead(200, { 'content-type': 'text/event-stream' }));
      response.flushHeaders();
      return;
    }
    const held = (): unknown => {
      if (url === '/session')
        return method === 'POST' ? { begun: begun++, ...conversation('new', 9) } : conversations;
      if (url === '/session/status') return isBusy ? { x: { type: 'busy' } } : {};
      const one = /\/message\/(\w+)$/.exec(url)?.[1];
      if (one) return messages.find((each) => (each as { info: { id: string } }).info.id === one);
      return url.startsWith('/session/x/message') ? messages : [];
    };
    if (url === '/session/x/abort') aborts++;
    if (url === '/session' && method === 'POST') say('session.created', { info: conversation('new', 9) });
    const isFailing =
      (url === '/permission' && failures-- > 0) || (url === '/tui/select-session' && isScreenDeaf);
    response.writeHead(isFailing ? 500 : 200).end(JSON.stringify(held()));
    if (url.startsWith('/session/x/message')) afterMessages();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterEach(() => {
  door.dispose();
  for (const stream of streams) stream.end();
  server.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const KNOWN = { conversation: 'x', opened: '1' };

// `begunAt` 5: what was begun at 6 was begun since.
function open(facts: Record<string, string> = KNOWN): void {
  const { port } = server.address() as AddressInfo;
  const context: DoorContext = {
    session: { id: 's', name: 's', cwd: '/', origin: 'started' },
    program: { pid: process.pid, argv: ['opencode', '--port', String(port)], begunAt: 5 },
    env: { HOME: folder },
    version: '1.18.33',
    folder,
    facts,
    saveFacts: async () => {},
    onHook: () => ({ dispose() {} }),
    clock: Date.now,
    log: () => {},
  };
  door = new OpencodeDoor(context, true);
  door.onEvent((event) => events.push(event));
}
const opened = (): Promise<void> => vi.waitFor(() => expect(door.state.kind).toBe('open'), 4000);

test('it opens once what its server holds is known', async () => {
  failures = 1;
  open();
  await vi.waitFor(() => expect(failures).toBeLessThan(1));
  expect(door.state.kind).toBe('opening');
  await opened();
});

test('a turn that ended before and the one that runs end each with their own answer', async () => {
  isBusy = true;
  messages = [user(FIRST, 1), answer(FIRST, 2, 'stop'), user(SECOND, 3), answer(SECOND, 4)];
  open();
  await opened();
  expect(ends()).toEqual([[FIRST, 'answer 2']]);
  messages.push(answer(SECOND, 5, 'stop'));
  say('message.updated', { info: answer(SECOND, 5, 'stop').info });
  say('session.idle', { sessionID: 'x' });
  await vi.waitFor(() => expect(ends().slice(1)).toEqual([[SECOND, 'answer 5']]));
});

test('a turn that begins while it is asked has not ended', async () => {
  messages = [user(FIRST, 1), answer(FIRST, 2)];
  afterMessages = () => {
    isBusy = true;
  };
  open();
  await opened();
  expect(ends()).toEqual([]);
  messages = [user(FIRST, 1), answer(FIRST, 2, 'stop')];
  say('message.updated', { info: answer(FIRST, 2, 'stop').info });
  say('session.idle', { sessionID: 'x' });
  await vi.waitFor(() => expect(ends()).toEqual([[FIRST, 'answer 2']]));
});

test('a turn that ended while the connection was broken ends with its last answer', async () => {
  isBusy = true;
  messages = [user(FIRST, 1), answer(FIRST, 2, 'tool-calls')];
  open();
  await opened();
  isBusy = false;
  messages.push(answer(FIRST, 3, 'stop'));
  for (const stream of streams.splice(0)) stream.destroy();
  await vi.waitFor(() => expect(ends()).toEqual([[FIRST, 'answer 3']]), 4000);
  await vi.waitFor(() => expect(states()).toEqual(['busy', 'unknown', 'idle']));
});

test('a turn of which only the newest answers are asked for ends too, and its prompt was received', async () => {
  messages = [answer(FIRST, 2, 'tool-calls'), answer(FIRST, 3, 'stop')];
  open();
  await opened();
  expect(receipts()).toEqual(['000000000001']);
  expect(ends()).toEqual([[FIRST, 'answer 3']]);
});

// A prompt that came through the input box, with the header of our message.
const typed = (id: string, created: number) => {
  const { info } = user(id, created);
  return {
    info,
    parts: [{ type: 'text', messageID: id, text: '[Input from: a (b) via sm send] #00000000000a\nhello' }],
  };
};
const receipts = () => events.flatMap((event) => (event.kind === 'received' ? [event.id] : []));
const carries = () => door.carries({ mode: 'important', speaks: 'notice' }).kind;

test('it opens after something was typed, and works on it: that is the conversation on its screen', async () => {
  conversations = [conversation('old', 4), conversation('x', 6)];
  messages = [typed('msg_t', 6), answer('msg_t', 7)];
  isBusy = true;
  open({});
  await opened();
  expect(receipts()).toEqual(['00000000000a']);
  expect(carries()).toBe('now');
  await door.send({ id: '00000000000b', text: 'more', mode: 'important', speaks: 'notice' });
  expect(begun).toBe(0);
});

test('it opens after something was typed and answered: seen as received, and no other conversation is begun', async () => {
  conversations = [conversation('x', 6)];
  messages = [typed('msg_t', 6), answer('msg_t', 7, 'stop')];
  open({});
  await opened();
  await vi.waitFor(() => expect(ends()).toEqual([['msg_t', 'answer 7']]));
  expect(receipts()).toEqual(['00000000000a']);
  expect([door.status.state, states().includes('idle')]).toEqual(['unknown', false]);
  // Another OpenCode in the same folder may have begun it.
  expect(carries()).toBe('no');
});

test('what was begun before it, or by another door of ours, is not on its screen', async () => {
  conversations = [conversation('old', 4), conversation('x', 6)];
  messages = [user(FIRST, 6), answer(FIRST, 7)];
  open({});
  await opened();
  expect(carries()).toBe('now');
  expect(
    (await door.send({ id: '00000000000b', text: 'a', mode: 'important', speaks: 'notice' })).outcome,
  ).toBe('accepted');
  expect(begun).toBe(1);
});

test('a conversation that its screen does not change to gets no mail', async () => {
  isScreenDeaf = true;
  open({});
  await opened();
  const sent = await door.send({ id: '00000000000b', text: 'a', mode: 'important', speaks: 'notice' });
  expect([sent.outcome, begun]).toEqual(['refused', 1]);
  expect(states().at(-1)).toBe('unknown');
  await opened();
  expect(carries()).toBe('no');
});

test('a turn is stopped, and one that waits for a person is not', async () => {
  isBusy = true;
  open();
  await opened();
  say('permission.asked', { id: 'p', permission: 'bash' });
  await vi.waitFor(() => expect(states().at(-1)).toBe('waiting'));
  expect([await door.interrupt(), aborts]).toEqual([false, 0]);
  say('permission.replied', { requestID: 'p' });
  await vi.waitFor(() => expect(states().at(-1)).toBe('busy'));
  expect([await door.interrupt(), aborts]).toEqual([true, 1]);
});
