// The feed for one reader: all of it in order, never more of it in memory than the limit, and a sign of life.
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Emitter } from '../tmux/index.js';
import { KEPT, type NumberedEvent } from './feed.js';
import { HEARTBEAT_MS, MOST_WAITING, streamFeed } from './feed-stream.js';

let emitter: Emitter<NumberedEvent>;
let replayed: NumberedEvent[];
let logged: string[];
beforeEach(() => {
  emitter = new Emitter();
  replayed = [];
  logged = [];
});
afterEach(() => void vi.useRealTimers());

const numbered = (n: number): NumberedEvent => ({ id: `run-${n}`, event: { type: 'pause', paused: true } });
const fire = (from: number, to: number): void => {
  for (let n = from; n <= to; n++) emitter.fire(numbered(n));
};

interface Reader {
  // What comes next; undefined at the end.
  read(): Promise<string | undefined>;
  leave(): Promise<void>;
}

async function connect(): Promise<Reader> {
  const feed = {
    subscribe: (_: string | undefined, listener: (event: NumberedEvent) => void) => {
      for (const event of replayed) listener(event);
      return emitter.event(listener);
    },
  };
  const deps = { feed, log: (message: string) => void logged.push(message) };
  const app = new Hono().get('/', (c) => streamSSE(c, (out) => streamFeed(deps, undefined, out)));
  const reader = ((await app.request('/')).body as ReadableStream<Uint8Array>).getReader();
  const read = async (): Promise<string | undefined> => {
    const { value } = await reader.read();
    return value && new TextDecoder().decode(value);
  };
  expect(await read()).toBe(': connected\n\n');
  return { read, leave: () => reader.cancel() };
}

const idOf = (text: string | undefined): string | undefined => /^id: (.*)$/m.exec(text ?? '')?.[1];

test('a reader that reads gets everything in order, however much it is', async () => {
  const { read } = await connect();
  const most = MOST_WAITING / 2;
  for (const round of [0, 1, 2, 3]) {
    fire(round * most + 1, (round + 1) * most);
    for (let n = 1; n <= most; n++) expect(idOf(await read())).toBe(`run-${round * most + n}`);
  }
  expect([emitter.size, logged]).toEqual([1, []]);
});

test('one that stops reading is cut off at the limit, and nothing is kept for it', async () => {
  const { read } = await connect();
  fire(1, MOST_WAITING);
  expect([emitter.size, logged]).toEqual([1, []]);
  fire(MOST_WAITING + 1, MOST_WAITING + 10);
  expect([emitter.size, logged]).toEqual([0, ['reader of the feed cut off: it does not keep up']]);
  // It goes on after the last that it got.
  const got: (string | undefined)[] = [];
  for (let text = await read(); text !== undefined; text = await read()) got.push(idOf(text));
  expect(['', ',run-1', ',run-1,run-2']).toContain(['', ...got].join());
});

test('one that comes back gets all that is kept, and what happens meanwhile', async () => {
  replayed = Array.from({ length: KEPT }, (_, n) => numbered(n + 1));
  const { read } = await connect();
  fire(KEPT + 1, KEPT + 1000);
  for (let n = 1; n <= KEPT + 1000; n++) expect(idOf(await read())).toBe(`run-${n}`);
  expect(logged).toEqual([]);
});

test('one that leaves is followed no more', async () => {
  const { leave } = await connect();
  expect(emitter.size).toBe(1);
  await leave();
  expect([emitter.size, logged]).toEqual([0, []]);
});

test('a sign of life while nothing happens, one at a time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { read } = await connect();
  await vi.advanceTimersByTimeAsync(HEARTBEAT_MS * 100);
  expect([await read(), await read()]).toEqual([': still here\n\n', ': still here\n\n']);
  fire(1, 1);
  let text = await read();
  for (let n = 0; text === ': still here\n\n' && n < 3; n++) text = await read();
  expect(idOf(text)).toBe('run-1');
});
