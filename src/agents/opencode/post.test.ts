// A message of ours stands in one conversation of OpenCode at most, or is known to.
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DoorEvent } from '../door.js';
import { Client } from './client.js';
import { namesOf } from './ids.js';
import { opencodeDoor } from './index.js';
import { Post } from './post.js';
import { Sent } from './sent.js';

const ID = '0123456789ab';

interface Held {
  id: string;
  role: 'user' | 'assistant';
  parentID?: string;
}

let folder: string;
let server: http.Server;
let held: Record<string, Held[]>;
let busy: string[];
let now: number;
let post: Post;
let events: DoorEvent[];
let removed: string[];
let isFailing: boolean;
let isHeldFast: boolean;

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-opencode-'));
  held = { x: [], y: [] };
  busy = [];
  now = 1_800_000_000_000;
  events = [];
  removed = [];
  isFailing = false;
  isHeldFast = false;
  server = http.createServer((request, response) => {
    const [, , conversation = '', , message] = (request.url ?? '').split(/[/?]/);
    const messages = held[conversation] ?? [];
    const info = (each: Held) => ({
      info: { ...each, sessionID: conversation, time: { created: 1 } },
      parts: [],
    });
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const answer = (status: number, value?: unknown): void => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(value === undefined ? '' : JSON.stringify(value));
      };
      if (isFailing) answer(500);
      else if (conversation === 'status')
        answer(200, Object.fromEntries(busy.map((each) => [each, { type: 'busy' }])));
      else if (request.method === 'POST') {
        const { messageID } = JSON.parse(body) as { messageID: string };
        if (!messages.some(({ id }) => id === messageID)) messages.push({ id: messageID, role: 'user' });
        answer(204);
      } else if (request.method === 'DELETE') {
        if (busy.includes(conversation) || isHeldFast) return answer(400);
        held[conversation] = messages.filter(({ id }) => id !== message);
        answer(200, true);
      } else if (message !== undefined && !message.startsWith('limit')) {
        const found = messages.find(({ id }) => id === message);
        answer(found ? 200 : 404, found && info(found));
      } else answer(200, messages.slice(message === undefined ? 0 : -40).map(info));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const client = new Client({ host: '127.0.0.1', port, authorization: undefined, isOurs: true });
  post = new Post(
    client,
    new Sent(folder),
    () => now,
    (event) => events.push(event),
    (message) => removed.push(message),
  );
});
afterEach(() => {
  post.dispose();
  server.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

test('one that is let go of unanswered is taken out of its conversation first', async () => {
  expect((await post.send(ID, 'text', 'x', {})).outcome).toBe('accepted');
  busy = ['x'];
  now += 20_000;
  expect((await post.find(ID)).at).toBe('queue');
  expect(held.x).toHaveLength(1);
  busy = [];
  await post.settle();
  expect(held.x).toEqual([]);
  expect(removed).toEqual([namesOf(ID, now - 20_000).message]);
  expect(events).toMatchObject([{ kind: 'returned', id: ID }]);
  expect(post.isUnderWay).toBe(false);
});

test('one that stands in another conversation is given to this one only when it is out of the other', async () => {
  await post.send(ID, 'text', 'x', {});
  now += 20_000;
  busy = ['x'];
  expect((await post.send(ID, 'text', 'y', {})).outcome).toBe('unknown');
  expect(held.y).toEqual([]);
  busy = [];
  expect((await post.send(ID, 'text', 'y', {})).outcome).toBe('accepted');
  expect(held.x).toEqual([]);
  expect(held.y).toHaveLength(1);
});

test('one that was taken in a conversation that was left holds nothing up', async () => {
  await post.send(ID, 'text', 'x', {});
  held.x?.push({ id: 'msg_a', role: 'assistant', parentID: namesOf(ID, now).message });
  expect(post.isUnderWay).toBe(true);
  await post.settle();
  expect(post.isUnderWay).toBe(false);
  expect([...new Sent(folder).conversations()]).toEqual(['x']);
});

test('one that is older than what is asked for first was taken with the prompt that it was given with', async () => {
  await post.send(ID, 'text', 'x', {});
  held.x?.push({ id: 'msg_p', role: 'user' });
  for (let n = 0; n < 50; n++) held.x?.push({ id: `msg_a${n}`, role: 'assistant', parentID: 'msg_p' });
  expect(await post.find(ID)).toMatchObject({ at: 'received', turn: 'msg_p' });
});

test.each(['cannot be asked', 'does not let it go'])(
  'a server that %s is asked again, each time after twice as long',
  async (what) => {
    await post.send(ID, 'text', 'x', {});
    now += 20_000;
    isFailing = what === 'cannot be asked';
    isHeldFast = !isFailing;
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const waits = () => timers.mock.calls.flatMap(([, ms = 0]) => (ms % 1000 === 1 && ms > 1000 ? [ms] : []));
    for (let n = 0; n < 6; n++) await post.settle();
    expect(waits()).toEqual([3001, 6001, 12_001, 24_001, 48_001, 60_001]);
    isFailing = false;
    isHeldFast = false;
    await post.settle();
    expect([waits().length, post.isUnderWay]).toEqual([6, false]);
    expect(events).toMatchObject([{ kind: 'returned', id: ID }]);
    timers.mockRestore();
  },
);

test('what could not be asked once is asked for again by itself', async () => {
  await post.send(ID, 'text', 'x', {});
  now += 20_000;
  isFailing = true;
  await post.settle();
  isFailing = false;
  await vi.waitFor(() => expect(events).toMatchObject([{ kind: 'returned', id: ID }]), 5000);
}, 8000);

test('of a process that is gone: unanswered in its conversation it may be read yet', async () => {
  const file = path.join(folder, 'opencode.db');
  const database = new Database(file);
  database.exec('CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT)');
  const add = (id: string, created: number, data: object): void => {
    database.prepare('INSERT INTO message VALUES (?, ?, ?, ?)').run(id, 'x', created, JSON.stringify(data));
  };
  const last = async (id: string): Promise<string | undefined> =>
    (await opencodeDoor.findLast?.({ database: file }, id))?.at;
  const name = namesOf(ID, 10).message;
  expect(await last(ID)).toBe('nowhere');
  add(name, 10, { role: 'user' });
  expect(await last(ID)).toBe('unknown');
  add('msg_a', 11, { role: 'assistant', parentID: name });
  expect(await last(ID)).toBe('received');
  database.close();
});
