// The feed over WebSocket: for its owner alone, from where a reader left off, and never at the cost of the daemon.
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { Client } from '../src/api/client.js';
import type { FeedEvent } from '../src/api/types.js';
import { doorkeeper } from '../src/daemon/auth.js';
import type { NumberedEvent } from '../src/daemon/feed.js';
import { FeedSockets } from '../src/daemon/feed-sockets.js';
import { HEARTBEAT_MS, MOST_WAITING } from '../src/daemon/feed-stream.js';
import { Emitter } from '../src/tmux/index.js';
import { until } from './support/tmux.js';
import { World } from './support/world.js';

type Frame = { id: string; event: FeedEvent };

describe('of a daemon', () => {
  let world: World;
  let url: URL;
  let token: string;
  beforeAll(async () => {
    world = await World.start();
    url = new URL((await world.client.status()).url);
    token = fs.readFileSync(path.join(world.home, 'token'), 'utf8').trim();
  });
  afterAll(() => world.dispose());

  // What it answers to somebody who wants to come in.
  const knock = (
    headers: http.OutgoingHttpHeaders,
    where = '/api/v1/ws',
  ): Promise<{ status: number; code: string }> =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://${url.host}${where}`, {
        headers: headers as Record<string, string>,
      });
      socket.once('open', () => {
        socket.terminate();
        resolve({ status: 101, code: '' });
      });
      socket.once('unexpected-response', async (_, response) => {
        let text = '';
        for await (const chunk of response) text += String(chunk);
        resolve({ status: response.statusCode ?? 0, code: JSON.parse(text).error.code as string });
      });
      socket.on('error', reject);
    });
  const bearer = (): { authorization: string } => ({ authorization: `Bearer ${token}` });

  test('the right token is let in, from a program and from a page of its own', async () => {
    expect((await knock(bearer())).status).toBe(101);
    expect((await knock({ ...bearer(), origin: `http://127.0.0.1:${url.port}` })).status).toBe(101);
  });

  test.each<[string, () => http.OutgoingHttpHeaders, number, string]>([
    ['no token', () => ({}), 401, 'unauthorized'],
    ['a wrong token', () => ({ authorization: 'Bearer x' }), 401, 'unauthorized'],
    ['a foreign Host', () => ({ ...bearer(), host: 'evil.example' }), 403, 'foreign_host'],
    ['a foreign Origin', () => ({ ...bearer(), origin: 'http://evil.example' }), 403, 'foreign_origin'],
  ])('%s is refused', async (_, headers, status, code) => {
    expect(await knock(headers())).toEqual({ status, code });
  });

  test('elsewhere there is no WebSocket, and here nothing else', async () => {
    expect(await knock(bearer(), '/api/v1/nonsense')).toEqual({ status: 404, code: 'no_such_endpoint' });
    expect(await knock(bearer(), '/api/v1/ws?screens=true')).toEqual({ status: 400, code: 'invalid_input' });
    expect((await knock(bearer(), '/api/v1/ws?screens=1')).status).toBe(101);
    const answer = await fetch(new URL('/api/v1/ws', url), { headers: bearer() });
    expect([answer.status, answer.headers.get('upgrade')]).toEqual([426, 'websocket']);
  });

  test('a reader that was cut off goes on where it was; of what is not kept it is told', async () => {
    const first = await listenTo(new WebSocket(`ws://${url.host}/api/v1/ws`, { headers: bearer() }));
    for (const paused of [true, false, true]) await world.client.setPaused(paused);
    await until(() => first.frames.length === 3, 'three events');
    first.socket.terminate();
    await world.client.setPaused(false);
    const [one, ...rest] = first.frames as [Frame, ...Frame[]];
    const second = world.client.socketEvents(one.id);
    for (const expected of rest) expect((await second.next()).value).toEqual(expected);
    expect((await second.next()).value).toMatchObject({ event: { type: 'pause', paused: false } });
    await second.return(undefined);
    const third = new Client({ url: url.origin, token }).socketEvents('nonsense');
    expect((await third.next()).value).toMatchObject({ event: { type: 'gap' } });
    await third.return(undefined);
  });

  test('the client says who refused it, and where nobody answers', async () => {
    const stranger = new Client({ url: url.origin, token: 'x' }).socketEvents();
    await expect(stranger.next()).rejects.toMatchObject({ status: 401, detail: { code: 'unauthorized' } });
    const nobody = new Client({ socket: path.join(world.folder, 'nobody') }).socketEvents();
    await expect(nobody.next()).rejects.toMatchObject({ name: 'NotRunning', code: 'ENOENT' });
  });

  test('a reader only reads: what it sends ends it', async () => {
    const { socket, closed } = await listenTo(
      new WebSocket(`ws://${url.host}/api/v1/ws`, { headers: bearer() }),
    );
    socket.send('{}');
    expect(await closed).toBe(1003);
  });

  // The last one: it ends the daemon.
  test('a daemon that stops waits for none of them', async () => {
    const { closed } = await listenTo(new WebSocket(`ws://${url.host}/api/v1/ws`, { headers: bearer() }));
    await world.client.stop();
    await closed;
    await world.ended();
  });
});

describe('without a daemon', () => {
  const emitter = new Emitter<NumberedEvent>();
  const logged: string[] = [];
  const sockets = new FeedSockets({
    admit: doorkeeper('secret'),
    feed: { subscribe: (_, listener) => emitter.event(listener) },
    log: (message) => void logged.push(message),
  });
  const server = http.createServer();
  let port: number;
  beforeAll(async () => {
    server.on('upgrade', (request, socket, head) =>
      sockets.upgrade({ via: 'socket' }, request, socket, head),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(() => void vi.useRealTimers());
  afterAll(async () => {
    sockets.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  // One that asks for the feed, and does nothing by itself.
  const dull = (): net.Socket => {
    const socket = net.connect(port, '127.0.0.1');
    socket.write(
      'GET /api/v1/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
    );
    return socket;
  };
  const lastBytes = (socket: net.Socket): { now: Buffer } => {
    const kept = { now: Buffer.alloc(0) };
    socket.on('data', (chunk) => {
      kept.now = Buffer.concat([kept.now, chunk]).subarray(-200);
    });
    return kept;
  };

  test('one that does not answer a ping is there no more', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const reader = dull();
    const got = lastBytes(reader);
    const ended = new Promise((resolve) => reader.once('close', resolve));
    await vi.waitUntil(() => emitter.size === 1);
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
    // A ping without words.
    await vi.waitUntil(() => got.now.subarray(-2).equals(Buffer.from([0x89, 0x00])));
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
    await ended;
    expect(emitter.size).toBe(0);
  });

  test('who asks for it is told that the line is alive; others are pinged and no more', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const where = `ws://127.0.0.1:${port}/api/v1/ws`;
    const asking = await listenTo(new WebSocket(`${where}?alive=1`));
    const other = await listenTo(new WebSocket(where));
    await vi.waitUntil(() => emitter.size === 2);
    const pinged = new Promise((resolve) => other.socket.once('ping', resolve));
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
    await pinged;
    emitter.fire({ id: 'run-1', event: { type: 'pause', paused: true } });
    await vi.waitUntil(() => asking.frames.length === 2 && other.frames.length > 0);
    expect([asking, other].map(({ frames }) => frames.map(({ event }) => event.type))).toEqual([
      ['alive', 'pause'],
      ['pause'],
    ]);
    for (const { socket } of [asking, other]) socket.terminate();
    await vi.waitUntil(() => emitter.size === 0);
  });

  test('one that stops reading is cut off at the limit; others go on', async () => {
    const reading = await listenTo(new WebSocket(`ws://127.0.0.1:${port}/api/v1/ws`));
    const deaf = dull();
    await until(() => emitter.size === 2, 'both to be followed');
    const event: FeedEvent = { type: 'session-removed', id: '', name: 'x'.repeat(10_000) };
    let sent = 0;
    while (logged.length === 0) {
      for (let n = 0; n < 500; n++) emitter.fire({ id: `run-${++sent}`, event });
      await until(() => reading.frames.length === sent, 'the other to have it all');
      // Far more than any pipe between two programs holds.
      expect(sent).toBeLessThan(20 * MOST_WAITING);
    }
    expect(logged).toEqual(['reader of the feed cut off: it does not keep up']);
    expect(emitter.size).toBe(1);
    emitter.fire({ id: 'last', event: { type: 'pause', paused: true } });
    await until(() => reading.frames.at(-1)?.id === 'last', 'the last');
    // When it reads again after all: what was under way, and that this is the end (1013).
    const got = lastBytes(deaf);
    await until(() => got.now.includes(Buffer.from([0x03, 0xf5])), 'the end');
    deaf.destroy();
  });
});

interface Listening {
  socket: WebSocket;
  frames: Frame[];
  // The code.
  closed: Promise<number>;
}

function listenTo(socket: WebSocket): Promise<Listening> {
  const frames: Frame[] = [];
  socket.on('message', (data) => frames.push(JSON.parse(String(data)) as Frame));
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve({ socket, frames, closed }));
    socket.once('error', reject);
  });
}
