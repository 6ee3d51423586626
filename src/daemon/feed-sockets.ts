// The feed over WebSocket: who may come in is decided as for every request, and each reader has it at its own pace.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ApiErrorBody } from '../api/types.js';
import type { Doorkeeper, Via } from './auth.js';
import { type FeedStreamDeps, type FeedWish, serveFeed } from './feed-stream.js';
import { closeAll, Pulse, refuse } from './web-sockets.js';

const PATH = '/api/v1/ws';
// A reader only reads; what it sends is answered by the end.
const MOST_TAKEN = 4096;
// What a reader may ask for, with 1.
const SWITCHES = ['screens', 'alive'] as const;
// For a page, which does not see pings.
const ALIVE = JSON.stringify({ event: { type: 'alive' } });
// As RFC 6455 and its registry have them.
const CLOSE = { notTaken: 1003, slow: 1013 } as const;

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
    const wish = new URLSearchParams(query);
    const wrong = SWITCHES.find((name) => ![null, '1'].includes(wish.get(name)));
    if (refusal) refuse(socket, refusal.status, refusal.error);
    else if (pathname !== PATH) refuse(socket, 404, noSuch(pathname));
    else if (wrong) refuse(socket, 400, notOne(wrong, wish.get(wrong) ?? ''));
    else
      this.#server.handleUpgrade(request, socket, head, (reader) => {
        const lastId = wish.get('last_event_id') ?? undefined;
        void this.#serve(reader, { lastId, screens: wish.has('screens') }, wish.has('alive'));
      });
  }

  async #serve(reader: WebSocket, wish: FeedWish, isToldOfLife: boolean): Promise<void> {
    const pulse = new Pulse(reader);
    reader.on('error', () => {});
    reader.on('message', () => reader.close(CLOSE.notTaken, 'nothing is taken here'));
    const sent = (send: (done: () => void) => void): Promise<void> => new Promise((resolve) => send(resolve));
    await serveFeed(this.deps, wish, {
      take: (numbered) => sent((done) => reader.send(JSON.stringify(numbered), done)),
      signOfLife: async () => {
        await sent((done) => pulse.beat(done));
        if (isToldOfLife) await sent((done) => reader.send(ALIVE, done));
      },
      onLeave: (left) => reader.on('close', left),
      cutOff: () => reader.close(CLOSE.slow, 'too many events wait: go on with last_event_id'),
    });
  }

  close(): void {
    closeAll(this.#server);
  }
}

const noSuch = (pathname: string): ApiErrorBody['error'] => ({
  code: 'no_such_endpoint',
  message: `no WebSocket at ${pathname}`,
  field: 'path',
  value: pathname,
  expected: PATH,
});

const notOne = (field: string, value: string): ApiErrorBody['error'] => ({
  code: 'invalid_input',
  message: `${field}: must be 1, where it is given`,
  field,
  value,
  expected: '1',
});
