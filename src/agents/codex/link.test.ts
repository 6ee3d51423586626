// A conversation that could not be made use of is looked for again; what is disposed of leaves no connection.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { socketIn } from './launch.js';
import { Link } from './link.js';
import { TuiRecord } from './record.js';
import { showing } from './shown.js';

let home: string;
let server: http.Server;
let sockets: WebSocketServer;
let link: Link;

beforeEach(async () => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-link-'));
  fs.mkdirSync(path.dirname(socketIn(home)), { recursive: true });
  await listen();
});

async function listen(): Promise<void> {
  const socket = socketIn(home);
  server = http.createServer();
  sockets = new WebSocketServer({ server });
  sockets.on('connection', (each) =>
    each.on('message', (data) => {
      const { id, method } = JSON.parse(String(data)) as { id?: number; method: string };
      const thread = { id: 't', sessionId: 't', status: { type: 'idle' } };
      const result = method === 'thread/read' ? { thread } : {};
      if (id !== undefined) each.send(JSON.stringify({ id, result }));
    }),
  );
  await new Promise<void>((done) => server.listen(socket, done));
}
const hangUp = (): void => {
  for (const client of sockets.clients) client.terminate();
};
const draw = (): void =>
  fs.appendFileSync(
    path.join(home, 'tui.jsonl'),
    `${JSON.stringify({ ts: new Date().toISOString(), kind: 'x', variant: 'ResetTranscriptForThreadSwitch' })}\n`,
  );

afterEach(() => {
  link.dispose();
  hangUp();
  server.close();
  fs.rmSync(home, { recursive: true, force: true });
});

function make(onBound: () => Promise<void>): { lost: number } {
  const told = { lost: 0 };
  const record = new TuiRecord(path.join(home, 'tui.jsonl'), { offset: 0, shown: showing('t') }, true);
  link = new Link(home, record, Date.now, {
    onBound,
    onLost: () => told.lost++,
    onNotice: () => {},
  });
  return told;
}

test('a bind that failed once is made again', async () => {
  let binds = 0;
  const told = make(async () => {
    if (++binds === 1) throw new Error('no answer');
  });
  link.start();
  await vi.waitFor(() => expect(binds).toBe(2), 3000);
  expect(told.lost).toBe(1);
  expect(link.conversation?.id).toBe('t');
});

test('disposed of while it connects it leaves no connection', async () => {
  make(async () => {});
  link.start();
  link.dispose();
  await new Promise<void>((done) => sockets.once('connection', () => done()));
  await vi.waitFor(() => expect(sockets.clients.size).toBe(0), 3000);
});

test('a TUI that comes back from a server that died shows the same conversation', async () => {
  let binds = 0;
  make(async () => void binds++);
  link.start();
  await vi.waitFor(() => expect(binds).toBe(1), 3000);
  hangUp();
  await new Promise((done) => server.close(done));
  await listen();
  await vi.waitFor(() => expect(binds).toBe(2), 3000);
  draw();
  await link.look();
  expect(link.conversation?.id).toBe('t');
  draw();
  await link.look();
  expect(link.conversation).toBeUndefined();
});

test('after a connection that broke alone, one that is drawn anew is another', async () => {
  let binds = 0;
  make(async () => void binds++);
  link.start();
  await vi.waitFor(() => expect(binds).toBe(1), 3000);
  hangUp();
  await vi.waitFor(() => expect(binds).toBe(2), 3000);
  draw();
  await link.look();
  expect(link.conversation).toBeUndefined();
});
