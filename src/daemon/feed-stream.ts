// The feed for one reader, at the reader's pace, and ended when it is too far behind; as server-sent events, or as whatever
// else a reader takes.
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

export interface FeedWish {
  // Go on behind this event.
  lastId: string | undefined;
  // Also tell when a screen has changed.
  screens: boolean;
}

const MOST_SCREENS = 500;

export interface FeedReader {
  // Each resolves when the reader has taken it, as far as that can be told.
  take(event: NumberedEvent): Promise<void>;
  signOfLife(): Promise<void>;
  onLeave(left: () => void): void;
  // Too much waits for it: nothing comes any more, though it may still be taking the last.
  cutOff(): void;
}

// Resolves when the reader has left or is cut off.
export async function serveFeed(
  { feed, log }: FeedStreamDeps,
  { lastId, screens }: FeedWish,
  reader: FeedReader,
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
  const take = (event: NumberedEvent): void => {
    // A reader who is behind looks at the screens when it has caught up: the next change tells it.
    if (event.event.type === 'screen' && waiting.length > MOST_SCREENS) return;
    waiting.push(event);
    wake();
    if (waiting.length <= MOST_WAITING) return;
    log('reader of the feed cut off: it does not keep up', { waiting: waiting.length });
    end();
    reader.cutOff();
  };
  const following = feed.subscribe(lastId, take, { screens });
  reader.onLeave(end);
  const isQuiet = (): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve(true), HEARTBEAT_MS);
      wake = () => {
        clearTimeout(timer);
        resolve(false);
      };
    });
  // One write at a time, and none beside it: whatever the reader has not taken would pile up in the stream.
  while (!isOver) {
    const next = waiting.shift();
    if (next) await reader.take(next);
    else if (await isQuiet()) await reader.signOfLife();
  }
}

export async function streamFeed(
  deps: FeedStreamDeps,
  lastId: string | undefined,
  out: Pick<SSEStreamingApi, 'write' | 'writeSSE' | 'onAbort'>,
): Promise<void> {
  // Not waited for: what happens from now on belongs to it.
  const greeted = out.write(': connected\n\n');
  await serveFeed(
    deps,
    { lastId, screens: false },
    {
      take: async ({ id, event }) => {
        await greeted;
        await out.writeSSE({ id, event: event.type, data: JSON.stringify(event) });
      },
      signOfLife: async () => void (await out.write(': still here\n\n')),
      onLeave: (left) => out.onAbort(left),
      // The end of the stream says it.
      cutOff: () => {},
    },
  );
}
