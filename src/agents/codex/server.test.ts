// The door's side of the protocol against a server of our own on a Unix socket.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { Conversation } from './conversation.js';
import { Mailbox } from './mailbox.js';
import { resolve } from './resolve.js';
import { Denied, Rpc, Unanswered } from './rpc.js';
import { MISSED } from './shown.js';
import { takeBackFrom } from './whereabouts.js';

type Params = Record<string, unknown>;

let folder: string;
let socket: string;
let server: http.Server;
let peer: WebSocket | undefined;
let heard: { id?: number; method?: string; params?: Params }[];
let answers: Record<string, (params: Params) => unknown>;
const notices: string[] = [];
let closed = 0;

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-codex-'));
  socket = path.join(folder, 'sock');
  heard = [];
  notices.length = 0;
  closed = 0;
  answers = { initialize: () => ({}) };
  server = http.createServer();
  new WebSocketServer({ server }).on('connection', (each) => {
    peer = each;
    each.on('message', (data) => {
      const message = JSON.parse(String(data)) as { id?: number; method: string; params?: Params };
      heard.push(message);
      const answer = answers[message.method];
      if (message.id === undefined || !answer) return;
      const result = answer(message.params ?? {});
      const body = result instanceof Error ? { error: { code: 1, message: result.message } } : { result };
      each.send(JSON.stringify({ id: message.id, ...body }));
    });
  });
  await new Promise<void>((done) => server.listen(socket, done));
});
afterEach(() => {
  peer?.terminate();
  server.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const connect = (): Promise<Rpc> =>
  Rpc.connect(socket, { onNotice: (method) => notices.push(method), onClose: () => closed++ });

test('an answer, a refusal, and no answer', async () => {
  answers.good = () => ({ n: 1 });
  answers.bad = () => new Error('no such thread');
  const rpc = await connect();
  expect(await rpc.call('good', {}, z.object({ n: z.number() }))).toEqual({ n: 1 });
  await expect(rpc.call('bad', {}, z.unknown())).rejects.toBeInstanceOf(Denied);
  await expect(rpc.call('good', {}, z.object({ n: z.string() }))).rejects.toBeInstanceOf(Unanswered);
  const open = rpc.call('silent', {}, z.unknown());
  setTimeout(() => peer?.terminate(), 20);
  await expect(open).rejects.toBeInstanceOf(Unanswered);
  expect(closed).toBe(1);
  await expect(rpc.call('good', {}, z.unknown())).rejects.toBeInstanceOf(Denied);
});

test('what the server asks (approvals) is never answered; what it tells is passed on', async () => {
  const rpc = await connect();
  peer?.send(JSON.stringify({ id: 7, method: 'item/commandExecution/requestApproval', params: {} }));
  peer?.send('not json');
  peer?.send(JSON.stringify({ method: 'thread/closed', params: { threadId: 't' } }));
  answers.ping = () => ({});
  await rpc.call('ping', {}, z.unknown());
  expect(notices).toEqual(['thread/closed']);
  expect(heard.map(({ method }) => method)).toEqual(['initialize', 'initialized', 'ping']);
  rpc.dispose();
});

test('where nobody listens it fails at once', async () => {
  server.close();
  await expect(
    Rpc.connect(path.join(folder, 'none'), { onNotice: () => {}, onClose: () => {} }),
  ).rejects.toThrow();
});

// Ids of version 7 made at 1000 and 2000 ms.
const id = (ms: number, n: number): string =>
  `00000000-${ms.toString(16).padStart(4, '0')}-7000-8000-00000000000${n}`;
const thread = (threadId: unknown, more: Params = {}): Params => ({
  thread: { id: threadId, sessionId: threadId, threadSource: 'user', status: { type: 'idle' }, ...more },
});

test('the conversation that began here: the only one of that time, or nobody can tell', async () => {
  const loaded = [id(900, 1), id(1000, 2), id(1100, 3)];
  answers['thread/loaded/list'] = () => ({ data: loaded });
  answers['thread/read'] = ({ threadId }) =>
    thread(threadId, threadId === id(1100, 3) ? { threadSource: 'thread_title' } : {});
  const rpc = await connect();
  const began = { ...MISSED, where: { kind: 'began', from: 950, to: 1200 } } as const;
  expect(await resolve(rpc, began)).toMatchObject({ kind: 'thread', thread: { id: id(1000, 2) } });
  loaded.push(id(1001, 4));
  expect(await resolve(rpc, began)).toEqual({ kind: 'several' });
  answers['thread/items/list'] = ({ threadId }) => ({
    data: [
      { turnId: 'u', item: { type: 'userMessage', id: 'i', clientId: threadId === id(1001, 4) ? 'p' : 'q' } },
    ],
    nextCursor: null,
  });
  expect(await resolve(rpc, { ...began, prompt: 'p' })).toMatchObject({ thread: { id: id(1001, 4) } });
  expect(await resolve(rpc, MISSED)).toEqual({ kind: 'later' });
  expect(await resolve(rpc, { ...began, where: { kind: 'began', from: 1, to: 2 } })).toEqual({
    kind: 'none',
  });
  rpc.dispose();
});

test('what the queue or the items have already is not put in again; pressing mail goes ahead of ours alone', async () => {
  const queue = [
    { id: 'q1', clientUserMessageId: 'a-persons' },
    { id: 'q2', clientUserMessageId: '000000000001' },
  ];
  let order: unknown;
  answers['thread/queue/list'] = () => ({ data: queue, nextCursor: null });
  answers['thread/queue/add'] = ({ clientUserMessageId }) => {
    queue.push({ id: `q${queue.length + 1}`, clientUserMessageId: String(clientUserMessageId) });
    return { queuedSubmission: { id: 'q' } };
  };
  answers['thread/queue/reorder'] = ({ queuedSubmissionIds }) => {
    order = queuedSubmissionIds;
    return {};
  };
  answers['thread/items/list'] = () => ({
    data: [{ turnId: 'u', item: { type: 'userMessage', id: 'i', clientId: '000000000002' } }],
    nextCursor: null,
  });
  answers['thread/read'] = ({ threadId }) => thread(threadId);
  const rpc = await connect();
  const conversation = new Conversation(rpc, 't');
  const mailbox = new Mailbox();
  const added = (): number => heard.filter(({ method }) => method === 'thread/queue/add').length;
  for (const known of ['000000000001', '000000000002'])
    expect((await mailbox.put(conversation, known, 'x', 'sequential')).outcome).toBe('accepted');
  expect(added()).toBe(0);
  expect((await mailbox.put(conversation, '000000000003', 'x', 'important')).outcome).toBe('accepted');
  expect(added()).toBe(1);
  expect(order).toEqual(['q1', 'q3', 'q2']);
  expect((await mailbox.find(conversation, '000000000002')).at).toBe('received');
  expect((await mailbox.find(conversation, '000000000003')).at).toBe('queue');
  expect((await mailbox.find(conversation, '000000000009')).at).toBe('nowhere');
  answers['thread/queue/add'] = () => new Error('no');
  expect((await mailbox.put(conversation, '000000000004', 'x', 'sequential')).outcome).toBe('refused');
  rpc.dispose();
});

test('mail that was left behind is looked for twice, and a conversation that is gone has none', async () => {
  const message = '000000000001';
  let looks = 0;
  // It leaves the queue before it is among the items.
  answers['thread/queue/list'] = ({ threadId }) =>
    threadId === 'gone' ? new Error('no such thread') : { data: [], nextCursor: null };
  answers['thread/items/list'] = () => ({
    data:
      ++looks > 1 ? [{ turnId: 'u', item: { type: 'userMessage', id: `i${looks}`, clientId: message } }] : [],
    nextCursor: null,
  });
  answers['thread/read'] = ({ threadId }) =>
    threadId === 'gone' ? new Error('no such thread') : thread(threadId);
  const rpc = await connect();
  expect(await takeBackFrom(rpc, ['gone'], message)).toMatchObject({ at: 'nowhere' });
  expect(await takeBackFrom(rpc, ['gone', 't'], message)).toMatchObject({ at: 'received', turn: 'u' });
  answers['thread/read'] = ({ threadId }) => thread(threadId, { status: { type: 'active' } });
  answers['thread/turns/list'] = () => ({ data: [] });
  expect(await takeBackFrom(rpc, ['t'], '000000000002')).toMatchObject({ at: 'unknown' });
  await expect(takeBackFrom(rpc, ['gone'], message)).rejects.toBeInstanceOf(Denied);
  rpc.dispose();
});

test('what is found in the queue is let go on, though nobody heard that it was put in', async () => {
  const queue: { id: string; clientUserMessageId: string }[] = [];
  answers['thread/queue/list'] = () => ({ data: queue, nextCursor: null });
  answers['thread/items/list'] = () => ({ data: [], nextCursor: null });
  answers['thread/queue/add'] = ({ clientUserMessageId }) => {
    queue.push({ id: 'q1', clientUserMessageId: String(clientUserMessageId) });
    return { not: 'understood' };
  };
  answers['thread/queue/start'] = () => ({});
  const rpc = await connect();
  const conversation = new Conversation(rpc, 't');
  const mailbox = new Mailbox();
  expect((await mailbox.put(conversation, '000000000001', 'x', 'sequential')).outcome).toBe('unknown');
  expect(mailbox.isEmpty).toBe(true);
  expect((await mailbox.find(conversation, '000000000001')).at).toBe('queue');
  expect(mailbox.waiting).toEqual(['000000000001']);
  await mailbox.release(conversation, () => true);
  expect(heard.at(-1)).toMatchObject({ method: 'thread/queue/start', params: { queuedSubmissionId: 'q1' } });
  rpc.dispose();
});
