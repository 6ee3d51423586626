// What all WebSockets of the daemon have in common: how one is refused, whether its other end is still there, and its end
// when the daemon stops.
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import type { ApiErrorBody } from '../api/types.js';

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
};
// As RFC 6455 has it.
const STOPPING = 1001;
// How often a ping may still stand behind what was sent before it. Whoever reads slowly is there all the same.
const MOST_BEHIND = 20;

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

// Whoever does not answer a ping by the next beat is there no more; as long as the ping has not left, that is waited for.
export class Pulse {
  readonly #socket: Pick<WebSocket, 'on' | 'ping' | 'terminate'>;
  #isAnswered = true;
  // Since the last ping, and how many of them may go by without an answer.
  #beats = 0;
  #most = MOST_BEHIND;

  constructor(socket: Pick<WebSocket, 'on' | 'ping' | 'terminate'>) {
    this.#socket = socket;
    socket.on('pong', () => {
      this.#isAnswered = true;
    });
  }

  // `left`: there is nothing more to send for it.
  beat(left: () => void = () => {}): void {
    if (!this.#isAnswered) {
      if (++this.#beats > this.#most) this.#socket.terminate();
      left();
      return;
    }
    this.#isAnswered = false;
    this.#beats = 0;
    this.#most = MOST_BEHIND;
    this.#socket.ping(undefined, undefined, () => {
      // One that came off late has what is under way before it.
      this.#most = this.#beats === 0 ? 0 : this.#beats + 1;
      left();
    });
  }
}

// Whoever does not answer is not waited for.
export function closeAll({ clients }: WebSocketServer): void {
  for (const socket of clients) {
    socket.close(STOPPING, 'the daemon stops');
    socket.terminate();
  }
}
