// The feed for one reader, as server-sent events: at the reader's pace, and ended when it is too far behind.
import type { SSEStreamingApi } from 'hono/streaming';
import { type Feed, KEPT, type NumberedEvent } from './feed.js';

// More than this waiting for one reader: it is cut off, and can go on with Last-Event-ID. One that does so is given up to
// KEPT at once, which must not cut it off again.
export const MOST_WAITING = 2 * KEPT;
// Keeps proxies and clients from taking a quiet feed for a dead one.
export const HEARTBEAT_MS = 15_000;

export interface FeedStreamDeps {
  feed: Pick<Feed, 'subscribe'>;
  log: (message: string, details: Record<string, unknown>) => void;
}

// Resolves when the reader has left or is cut off.
export async function streamFeed(
  { feed, log }: FeedStreamDeps,
  lastId: string | undefined,
  out: Pick<SSEStreamingApi, 'write' | 'writeSSE' | 'onAbort'>,
): Promise<void> {
  const waiting: NumberedEvent[] = [];
  let isOver = false;
  let wake = (): void => {};
  const end = (): void => {
    isOver = true;
    // At once: what is being written to a reader that does not read may never be done.
    waiting.length = 0;
    following.dispose();
    wake();
  };
  const following = feed.subscribe(lastId, (event) => {
    waiting.push(event);
    wake();
    if (waiting.length <= MOST_WAITING) return;
    log('reader of the feed cut off: it does not keep up', { waiting: waiting.length });
    end();
  });
  out.onAbort(end);
  const isQuiet = (): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve(true), HEARTBEAT_MS);
      wake = () => {
        clearTimeout(timer);
        resolve(false);
      };
    });
  // One write at a time, and none beside it: whatever the reader has not taken would pile up in the stream.
  await out.write(': connected\n\n');
  while (!isOver) {
    const next = waiting.shift();
    if (next) await out.writeSSE({ id: next.id, event: next.event.type, data: JSON.stringify(next.event) });
    else if (await isQuiet()) await out.write(': still here\n\n');
  }
}
