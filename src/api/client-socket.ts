// The feed over WebSocket, for the client. The library for it is loaded when it is used.
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { failure, NotRunning, query, readAll, type Transport } from './client-request.js';
import type { FeedEvent } from './types.js';

// Until the caller stops, the daemon does, or the caller was too slow for it: then it goes on with the id that it had last.
export async function* readFeedSocket(
  transport: Transport,
  path: string,
  lastEventId: string | undefined,
): AsyncGenerator<{ id: string; event: FeedEvent }> {
  const frames = await connect(transport, `${path}${query({ last_event_id: lastEventId })}`);
  try {
    for await (const frame of frames) yield JSON.parse(String(frame)) as { id: string; event: FeedEvent };
  } finally {
    frames.destroy();
  }
}

// Reads no faster than the caller takes.
async function connect(transport: Transport, path: string): Promise<Duplex> {
  const { createWebSocketStream, WebSocket } = await import('ws');
  const where = 'socket' in transport ? transport.socket : transport.url;
  const socket =
    'socket' in transport
      ? new WebSocket(`ws://localhost${path}`, { createConnection: () => net.connect(transport.socket) })
      : new WebSocket(new URL(path, transport.url.replace(/^http/, 'ws')), {
          headers: { authorization: `Bearer ${transport.token}` },
        });
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(createWebSocketStream(socket, { readableObjectMode: true })));
    socket.once('unexpected-response', (_, response) => {
      readAll(response).then((text) => reject(failure(response.statusCode ?? 500, text)), reject);
    });
    // Also once it is refused: nobody is told twice.
    socket.on('error', (error: NodeJS.ErrnoException) => reject(new NotRunning(where, error.code)));
  });
}
