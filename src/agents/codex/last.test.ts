// The last word about a message whose Codex has gone is not said while its server only moves it.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { findLast } from './last.js';
import { socketIn } from './launch.js';

const ID = '0123456789ab';

let home: string;
let server: http.Server;
let answers: Record<string, () => unknown>;

beforeEach(async () => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-codex-'));
  fs.mkdirSync(path.dirname(socketIn(home)));
  const thread = { id: 't', sessionId: 't', status: { type: 'active' } };
  answers = {
    initialize: () => ({}),
    'thread/queue/list': () => ({ data: [], nextCursor: null }),
    'thread/read': () => ({ thread }),
    'thread/items/list': () => ({ data: [], nextCursor: null }),
    'thread/turns/list': () => ({ data: [{ id: 'u', status: 'inProgress' }] }),
  };
  server = http.createServer();
  new WebSocketServer({ server }).on('connection', (peer) =>
    peer.on('message', (data) => {
      const { id, method } = JSON.parse(String(data)) as { id?: number; method: string };
      if (id !== undefined) peer.send(JSON.stringify({ id, result: answers[method]?.() }));
    }),
  );
  await new Promise<void>((done) => server.listen(socketIn(home), done));
});
afterEach(() => {
  server.close();
  fs.rmSync(home, { recursive: true, force: true });
});

const look = (patienceMs?: number) => findLast({ home, thread: 't' }, ID, patienceMs);

test('what a turn takes at this moment is asked for again until it shows', async () => {
  let asked = 0;
  const took = { turnId: 'u', item: { type: 'userMessage', id: 'i', clientId: ID } };
  answers['thread/items/list'] = () => ({ data: ++asked > 2 ? [took] : [], nextCursor: null });
  expect(await look()).toMatchObject({ at: 'received', turn: 'u' });
});

test('an answer that is not understood is asked for again too', async () => {
  let asked = 0;
  answers['thread/queue/list'] = () => (++asked === 1 ? {} : { data: [], nextCursor: null });
  answers['thread/items/list'] = () => ({
    data: [{ turnId: 'u', item: { type: 'userMessage', id: 'i', clientId: ID } }],
    nextCursor: null,
  });
  expect(await look()).toMatchObject({ at: 'received', turn: 'u' });
});

test('a server that does not let us in at first is tried again', async () => {
  let tries = 0;
  answers.initialize = () => (++tries === 1 ? server.closeAllConnections() : {});
  answers['thread/queue/list'] = () => ({
    data: tries > 1 ? [{ id: 'q', clientUserMessageId: ID }] : [],
    nextCursor: null,
  });
  answers['thread/queue/delete'] = () => ({ deleted: true });
  expect(await look()).toMatchObject({ at: 'nowhere', evidence: expect.stringContaining('taken back') });
});

test('it is not asked for ever, and where no server runs not twice', async () => {
  expect(await look(500)).toMatchObject({ at: 'unknown', reason: expect.stringContaining('at this moment') });
  server.close();
  fs.rmSync(socketIn(home), { force: true });
  const before = Date.now();
  expect(await look()).toMatchObject({ at: 'unknown', reason: expect.stringContaining('does not run') });
  expect(Date.now() - before).toBeLessThan(1000);
});
