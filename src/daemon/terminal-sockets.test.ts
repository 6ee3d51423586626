// What comes over a terminal's connection: keys, no more of them than tmux takes, and wishes.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { Registry, Session, Typed } from '../sessions/index.js';
import { Emitter } from '../tmux/index.js';
import { doorkeeper } from './auth.js';
import { MOST_TAKEN, PING_MS, TerminalSockets } from './terminal-sockets.js';

const SOON = { timeout: 10_000 };
const taken: { bytes: number; settle: (typed: Typed) => void }[] = [];
const session = {
  row: { state: 'gone', state_reason: 'its pane was closed' },
  typing: {
    isHeld: false,
    onHeld: new Emitter<boolean>().event,
    type: (data: Buffer) => new Promise<Typed>((settle) => void taken.push({ bytes: data.length, settle })),
  },
} as unknown as Session;
const registry = { resolve: () => session, onEvent: new Emitter<never>().event } as unknown as Registry;

let server: http.Server;
let sockets: TerminalSockets;
let port: number;
beforeEach(async () => {
  taken.length = 0;
  sockets = new TerminalSockets({ admit: doorkeeper('secret'), registry, log: () => {} });
  server = http.createServer();
  server.on('upgrade', (request, socket, head) => sockets.upgrade({ via: 'socket' }, request, socket, head));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterEach(async () => {
  vi.useRealTimers();
  await sockets.end();
  await new Promise((resolve) => server.close(resolve));
});

async function connect(): Promise<{ socket: WebSocket; frames: { type: string; state?: string }[] }> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/sessions/s/terminal`);
  const frames: { type: string; state?: string }[] = [];
  socket.on('message', (data) => frames.push(JSON.parse(String(data))));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return { socket, frames };
}
const sum = (): number => taken.reduce((all, { bytes }) => all + bytes, 0);

test('no more is read than a paste that tmux has not taken, and the rest when it has', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { socket } = await connect();
  const PORTION = 64 * 1024;
  const all = 4 * MOST_TAKEN;
  for (let sent = 0; sent < all; sent += PORTION) socket.send(Buffer.alloc(PORTION, 'x'));
  await vi.waitUntil(() => sum() > MOST_TAKEN, SOON);
  // Whatever else is on its way to the daemon is read meanwhile.
  const other = await connect();
  const roundTrip = async (): Promise<void> => {
    other.socket.ping();
    await new Promise((resolve) => other.socket.once('pong', resolve));
  };
  for (let n = 0; n < 50; n++) await roundTrip();
  expect(sum()).toBeLessThan(2 * MOST_TAKEN);
  // However long that takes, whoever is not read is there.
  for (let n = 0; n < 4; n++) {
    vi.advanceTimersByTime(PING_MS);
    await roundTrip();
  }
  let settled = 0;
  await vi.waitUntil(() => {
    for (; settled < taken.length; settled++) taken[settled]?.settle({ outcome: 'typed' });
    return sum() === all;
  }, SOON);
});

test('a frame that is too long ends the connection, and nothing of it is typed', async () => {
  const { socket } = await connect();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.send(Buffer.alloc(MOST_TAKEN + 1));
  expect([await closed, taken.length]).toEqual([1009, 0]);
});

test('who asks for a size where there is no pane is told so', async () => {
  const { socket, frames } = await connect();
  socket.send(JSON.stringify({ type: 'resize', columns: 80, rows: 24 }));
  await vi.waitUntil(() => frames.some(({ type }) => type === 'refused'), SOON);
  expect(frames).toEqual([
    { type: 'state', state: 'gone', reason: 'its pane was closed' },
    { type: 'refused', reason: 'gone' },
  ]);
});

test('once it is over nobody comes in any more', async () => {
  const { socket } = await connect();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await sockets.end();
  await closed;
  await expect(connect()).rejects.toThrow();
});
