// Listening: a Unix socket for its owner, and a loopback port for everything that cannot use one.
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Env, Via } from './auth.js';
import { isLoopback } from './exposure.js';

export const DEFAULT_PORT = 4747;

// As SM_PORT says it; an empty one says nothing.
export function portFrom(text: string | undefined): number | undefined {
  if (!text) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= MAX_PORT) return Number(text);
  throw new Error(`SM_PORT "${text}": must be a port, a number from 0 to ${MAX_PORT}; 0 takes any free one`);
}

const MAX_PORT = 65_535;

export interface Listening {
  port: number;
  // Also, or instead of loopback alone, at this address; where that fails, all is as before.
  open(host: string): Promise<void>;
  // There no more; who came from another machine is let go.
  shut(host: string): Promise<void>;
  close(): Promise<void>;
}

// What takes requests that want another protocol.
export interface Upgrades {
  upgrade(via: Via, request: http.IncomingMessage, socket: Duplex, head: Buffer): void;
  // Told of every other request, before it is answered.
  asked?(via: Via, request: http.IncomingMessage, answer: http.ServerResponse): void;
  close(): void;
}

export async function listen(
  app: OpenAPIHono<Env>,
  upgrades: Upgrades,
  socketPath: string,
  port: number | undefined,
): Promise<Listening> {
  const sockets = new Set<Duplex>();
  const local = server(app, upgrades, sockets, () => ({ via: 'socket' }));
  // Whoever holds the lock of the home owns this path; what is left there is of a daemon that died.
  fs.rmSync(socketPath, { force: true });
  await listening(local, (done) => local.listen(socketPath, done));
  fs.chmodSync(socketPath, 0o600);
  let bound = 0;
  const loopback = (): http.Server =>
    server(app, upgrades, sockets, ({ remoteAddress = '' }) => ({
      via: 'tcp',
      port: bound,
      address: remoteAddress,
    }));
  const tcp = loopback();
  await listening(tcp, (done) => tcp.listen(port ?? DEFAULT_PORT, '127.0.0.1', done)).catch(
    (error: NodeJS.ErrnoException) => {
      // The port is a convenience: a second home takes any other, unless one was asked for.
      if (port !== undefined) throw notGiven(port, error);
      if (error.code !== 'EADDRINUSE') throw error;
      return listening(tcp, (done) => tcp.listen(0, '127.0.0.1', done));
    },
  );
  bound = (tcp.address() as AddressInfo).port;
  // Every address at once cannot stand beside one of them.
  let atLoopback: http.Server | undefined = tcp;
  const listenAtLoopback = async (): Promise<void> => {
    const again = loopback();
    await listening(again, (done) => again.listen(bound, '127.0.0.1', done));
    atLoopback = again;
  };
  const wide = new Map<string, { server: http.Server; sockets: Set<Duplex> }>();
  return {
    port: bound,
    open: async (host) => {
      const own = new Set<Duplex>();
      const wider = server(app, upgrades, sockets, ({ remoteAddress = '' }) => ({
        via: 'tcp',
        port: bound,
        address: remoteAddress,
        open: true,
      }));
      keepOpen(wider, own);
      // Whoever is connected stays so.
      const replaced = WILDCARDS.has(host) ? atLoopback : undefined;
      replaced?.close();
      try {
        await listening(wider, (done) => wider.listen(bound, host, done));
      } catch (error) {
        if (replaced) await listenAtLoopback();
        throw error;
      }
      if (replaced) atLoopback = undefined;
      wide.set(host, { server: wider, sockets: own });
    },
    shut: async (host) => {
      const wider = wide.get(host);
      if (!wider) return;
      wide.delete(host);
      wider.server.close();
      for (const socket of wider.sockets) if (!isFromHere(socket)) socket.destroy();
      if (!atLoopback) await listenAtLoopback();
    },
    close: async () => {
      upgrades.close();
      const servers = [
        local,
        ...(atLoopback ? [atLoopback] : []),
        ...[...wide.values()].map((one) => one.server),
      ];
      const closed = servers.map((each) => close(each));
      // A server waits for those that have left it for another protocol, whatever became of them.
      for (const socket of sockets) socket.destroy();
      await Promise.all(closed);
    },
  };
}

const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

const WHY: Record<string, string> = { EADDRINUSE: 'it is in use', EACCES: 'it may not be taken by you' };

const notGiven = (port: number, { code, message }: NodeJS.ErrnoException): Error =>
  new Error(
    `SM_PORT "${port}": ${WHY[code ?? ''] ?? message}; must be a free port on 127.0.0.1, or 0 for any free one`,
  );

function server(
  app: OpenAPIHono<Env>,
  upgrades: Upgrades,
  open: Set<Duplex>,
  via: (from: Socket) => Via,
): http.Server {
  const answer = getRequestListener((request, { incoming }) =>
    app.fetch(request, via(incoming.socket as Socket)),
  );
  const made = http.createServer({ requestTimeout: 0 }, (request, response) => {
    upgrades.asked?.(via(request.socket), request, response);
    return answer(request, response);
  });
  keepOpen(made, open);
  return made.on('upgrade', (request: http.IncomingMessage, socket: Duplex, head: Buffer) => {
    if (request.headers.upgrade?.toLowerCase() === 'websocket')
      upgrades.upgrade(via(request.socket), request, socket, head);
    else asOrdinary(made, request, socket, head);
  });
}

// Who is connected to it, by whichever protocol.
function keepOpen(made: http.Server, open: Set<Duplex>): void {
  made.on('connection', (socket: Duplex) => {
    if (open.has(socket)) return;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
}

// By the address that it came to.
const isFromHere = (socket: Duplex): boolean =>
  isLoopback(((socket as Socket).localAddress ?? '').replace(/^::ffff:/i, ''));

// A server may go on as if no other protocol had been offered (RFC 9110, 7.8): clients that offer h2c with every request expect
// that. Node has taken the socket from its parser by now, so the request is given to it again, without the offer.
function asOrdinary(made: http.Server, request: http.IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2);
    if (name.toLowerCase() === 'upgrade') continue;
    lines.push(`${name}: ${name.toLowerCase() === 'connection' ? withoutUpgrade(value) : value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  made.emit('connection', socket);
}

const withoutUpgrade = (connection: string): string =>
  connection
    .split(',')
    .filter((option) => option.trim().toLowerCase() !== 'upgrade')
    .join(',');

const listening = (target: http.Server, start: (done: () => void) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    target.once('error', reject);
    start(() => {
      target.off('error', reject);
      resolve();
    });
  });

const close = (target: http.Server): Promise<void> =>
  new Promise((resolve) => {
    target.close(() => resolve());
    target.closeAllConnections();
  });
