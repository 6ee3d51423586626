// The port that a daemon is told to take; connections that want another protocol.
import fs from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { OpenAPIHono } from '@hono/zod-openapi';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { doorkeeper, type Env } from './auth.js';
import { FeedSockets } from './feed-sockets.js';
import { type Listening, listen, portFrom } from './listen.js';

test.each([
  [undefined, undefined],
  ['', undefined],
  ['0', 0],
  ['4748', 4748],
])('%j is %j', (text, port) => expect(portFrom(text)).toBe(port));

test.each(['abc', '-1', '65536', '80a', '1.5'])('%j is refused by name, with what would be right', (text) => {
  expect(() => portFrom(text)).toThrow(`SM_PORT "${text}": must be a port, a number from 0 to 65535`);
});

test('one that is in use is refused by name', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sml-'));
  const other = http.createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  try {
    const none = { upgrade: () => {}, close: () => {} };
    await expect(listen(new OpenAPIHono<Env>(), none, path.join(folder, 's'), port)).rejects.toThrow(
      `SM_PORT "${port}": it is in use; must be a free port`,
    );
  } finally {
    other.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});

const SOON = { timeout: 10_000 };

describe('a connection', () => {
  let folder: string;
  let listening: Listening;
  const peers: net.Socket[] = [];
  beforeEach(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sml-'));
    const app = new OpenAPIHono<Env>();
    app.post('/echo', async (c) => c.text(`${c.env.via} ${c.req.header('x-word')} ${await c.req.text()};`));
    const sockets = new FeedSockets({
      admit: doorkeeper('secret'),
      feed: { subscribe: () => ({ dispose: () => {} }) },
      log: () => {},
    });
    listening = await listen(app, sockets, path.join(folder, 's'), 0);
  });
  afterEach(async () => {
    for (const peer of peers.splice(0)) peer.destroy();
    await listening.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  // One that does nothing by itself, not even hang up.
  const connect = (
    to: net.NetConnectOpts = { port: listening.port, host: '127.0.0.1' },
  ): { peer: net.Socket; heard: () => string; closed: Promise<unknown> } => {
    let text = '';
    const peer = net.connect({ ...to, allowHalfOpen: true }).on('data', (data) => {
      text += String(data);
    });
    peer.on('error', () => {});
    peers.push(peer);
    return { peer, heard: () => text, closed: new Promise((resolve) => peer.once('close', resolve)) };
  };
  const asks = (upgrade: string, more = ''): string =>
    `POST /echo HTTP/1.1\r\nHost: 127.0.0.1:${listening.port}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${upgrade}\r\n` +
    `HTTP2-Settings: AAMAAABk\r\nX-Word: w\u00e4\r\n${more}\r\n`;
  const times = (text: string, word: string): number => text.split(word).length - 1;

  test('that is refused another protocol and does not hang up keeps no daemon from stopping', async () => {
    const { peer, heard, closed } = connect();
    peer.write(asks('websocket'));
    await expect.poll(heard, SOON).toContain('401 Unauthorized');
    // Ours is over; its own side stays open.
    await expect.poll(() => peer.readableEnded || peer.destroyed, SOON).toBe(true);
    await listening.close();
    peer.end();
    await closed;
  });

  test('that has left for another protocol is closed with the server, whoever had it', async () => {
    const file = path.join(folder, 'other');
    let left = (): void => {};
    const gone = new Promise<void>((resolve) => {
      left = resolve;
    });
    const took = { upgrade: () => left(), close: () => {} };
    const other = await listen(new OpenAPIHono<Env>(), took, file, 0);
    const { peer, closed } = connect({ path: file });
    peer.write(asks('websocket'));
    await gone;
    await other.close();
    peer.end();
    await closed;
  });

  test('that offers a protocol which nobody knows here is answered as any other, again and again', async () => {
    const warnings: string[] = [];
    const warned = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', warned);
    for (const to of [undefined, { path: path.join(folder, 's') }]) {
      const { peer, heard } = connect(to);
      for (let n = 1; n <= 20; n++) {
        const body = `body-${n}`;
        peer.write(asks('h2c', `Content-Length: ${body.length}\r\n`));
        peer.write(Buffer.from(body));
        await expect.poll(heard, SOON).toContain(`body-${n};`);
      }
      expect(times(heard(), 'HTTP/1.1 200 OK')).toBe(20);
      // Bytes of headers are characters of Latin-1.
      expect(times(heard(), ' w\u00c3\u00a4 ')).toBe(20);
    }
    process.off('warning', warned);
    expect(warnings).toEqual([]);
  });

  test('that offers one and sends a body of many pieces has all of it read', async () => {
    const { peer, heard } = connect();
    const pieces = Array.from({ length: 50 }, (_, i) => `${i}-${'p'.repeat(10_000)} `);
    peer.write(asks('h2c', `Content-Length: ${pieces.join('').length}\r\n`));
    for (const piece of pieces) peer.write(piece);
    await expect.poll(() => heard().endsWith(';'), SOON).toBe(true);
    expect(heard()).toContain(pieces.join(''));
  });
});
