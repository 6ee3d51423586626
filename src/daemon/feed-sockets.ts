// The feed over WebSocket: who may come in is decided as for every request, and each reader has it at its own pace.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ApiErrorBody } from '../api/types.js';
import type { Doorkeeper, Via } from './auth.js';
import { type FeedStreamDeps, type FeedWish, serveFeed } from './feed-stream.js';

const PATH = '/api/v1/ws';
// Nothing is taken from a reader yet.
const MOST_TAKEN = 4096;
// For a page, which does not see pings.
const ALIVE = JSON.stringify({ event: { type: 'alive' } });
// As RFC 6455 and its registry have them.
const CLOSE = { stopping: 1001, notTaken: 1003, slow: 1013 } as const;
const REASONS: Record<number, string> = { 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found' };

export interface FeedSocketsDeps extends FeedStreamDeps {
  admit: Doorkeeper;
}

export class FeedSockets {
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MOST_TAKEN });

  constructor(readonly deps: FeedSocketsDeps) {}

  upgrade(via: Via, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // One that breaks off meanwhile.
    socket.on('error', () => {});
    const refusal = this.deps.admit(via, request.headers);
    const [pathname = '', query] = (request.url ?? '').split('?', 2);
    if (refusal) refuse(socket, refusal.status, refusal.error);
    else if (pathname !== PATH) refuse(socket, 404, noSuch(pathname));
    else
      this.#server.handleUpgrade(request, socket, head, (reader) => {
        const wish = new URLSearchParams(query);
        const lastId = wish.get('last_event_id') ?? undefined;
        const isToldOfLife = wish.get('alive') === '1';
        void this.#serve(reader, { lastId, screens: wish.get('screens') === '1' }, isToldOfLife);
      });
  }

  async #serve(reader: WebSocket, wish: FeedWish, isToldOfLife: boolean): Promise<void> {
    let isHeard = true;
    reader.on('error', () => {});
    reader.on('pong', () => {
      isHeard = true;
    });
    reader.on('message', () => reader.close(CLOSE.notTaken, 'nothing is taken here'));
    const sent = (send: (done: () => void) => void): Promise<void> => new Promise((resolve) => send(resolve));
    await serveFeed(this.deps, wish, {
      take: (numbered) => sent((done) => reader.send(JSON.stringify(numbered), done)),
      signOfLife: async () => {
        if (!isHeard) reader.terminate();
        isHeard = false;
        await sent((done) => reader.ping(undefined, undefined, done));
        if (isToldOfLife) await sent((done) => reader.send(ALIVE, done));
      },
      onLeave: (left) => reader.on('close', left),
      cutOff: () => reader.close(CLOSE.slow, 'too many events wait: go on with last_event_id'),
    });
  }

  // Whoever does not answer is not waited for.
  close(): void {
    for (const reader of this.#server.clients) {
      reader.close(CLOSE.stopping, 'the daemon stops');
      reader.terminate();
    }
  }
}

const noSuch = (pathname: string): ApiErrorBody['error'] => ({
  code: 'no_such_endpoint',
  message: `no WebSocket at ${pathname}`,
  field: 'path',
  value: pathname,
  expected: PATH,
});

export function refuse(socket: Duplex, status: number, error: ApiErrorBody['error']): void {
  const body = JSON.stringify({ error });
  // Whoever does not hang up would keep it open for ever.
  socket.once('finish', () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${status} ${REASONS[status]}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
