// What a cookie has let in ends when its sign-in does, and nothing else with it.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { OpenAPIHono } from '@hono/zod-openapi';
import { stream } from 'hono/streaming';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Emitter } from '../tmux/index.js';
import { cookieName, type Env } from './auth.js';
import { type Listening, listen } from './listen.js';
import { SignedInSockets } from './signed-in-sockets.js';

let folder: string;
let listening: Listening;
let agent: http.Agent;
const ended = new Emitter<string>();
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sml-'));
  const app = new OpenAPIHono<Env>();
  app.get('/short', (c) => c.text('done'));
  app.on(['GET', 'POST'], '/long', (c) =>
    stream(c, async (out) => {
      await out.write('begun');
      await new Promise<void>((resolve) => out.onAbort(resolve));
    }),
  );
  const upgrades = {
    upgrade: (_: unknown, __: unknown, socket: NodeJS.WritableStream) =>
      void socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
      ),
    close: () => {},
  };
  const signIns = { idOf: (secret: string) => secret || undefined, onEnd: ended.event };
  listening = await listen(app, new SignedInSockets(upgrades, signIns), path.join(folder, 's'), 0);
  // One connection after another, as a proxy may do for many people.
  agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
});
afterEach(async () => {
  agent.destroy();
  await listening.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const cookie = (id: string) => ({ cookie: `${cookieName(listening.port)}=${id}` });

interface Opened {
  isOver: boolean;
  over: Promise<unknown>;
}
// Resolves with its first word.
function open(where: string, options: http.RequestOptions): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const request = http.request({ port: listening.port, path: where, ...options });
    const watch = (one: NodeJS.EventEmitter): Opened => {
      const opened: Opened = {
        isOver: false,
        over: new Promise<void>((done) =>
          one.once('close', () => {
            opened.isOver = true;
            done();
          }),
        ),
      };
      return opened;
    };
    request.on('response', (answer) => {
      answer.on('error', () => {});
      const opened = watch(answer);
      answer.once('data', () => resolve(opened));
    });
    request.on('upgrade', (_, socket) => {
      socket.on('error', () => {});
      resolve(watch(socket.resume()));
    });
    request.on('error', reject);
    request.end();
  });
}

test('answers that go on and other protocols end with the sign-in; those of others and of a token stay', async () => {
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };
  const own = [
    await open('/long', { headers: cookie('a') }),
    await open('/', { headers: { ...cookie('a'), ...upgrade } }),
  ];
  const others = [
    await open('/long', { headers: cookie('b') }),
    await open('/long', { headers: { ...cookie('a'), authorization: 'Bearer x' } }),
    await open('/long', { headers: { cookie: `${cookieName(1)}=a` } }),
    // The answer to a sign-out has to arrive.
    await open('/long', { method: 'POST', headers: cookie('a') }),
  ];
  ended.fire('a');
  await Promise.all(own.map(({ over }) => over));
  expect(others.map(({ isOver }) => isOver)).toEqual([false, false, false, false]);
});

test('a connection that has answered serves whoever comes next', async () => {
  await (await open('/short', { agent, headers: cookie('a') })).over;
  const next = await open('/long', { agent, headers: cookie('b') });
  ended.fire('a');
  // Whatever that ended is told before this.
  await (await open('/short', { headers: {} })).over;
  expect(next.isOver).toBe(false);
  ended.fire('b');
  await next.over;
});
