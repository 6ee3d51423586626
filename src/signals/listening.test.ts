// Until when somebody listened, as the next daemon knows it.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Store } from '../store/index.js';
import { Listening } from './listening.js';

const OPTIONS = { writerThread: new URL('../../dist/store/writer-thread.js', import.meta.url) };

let folder: string;
let store: Store;
let now = 1000;
const make = (): Listening => new Listening({ store, clock: () => now, log: () => {} });

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sml-'));
  store = Store.open(path.join(folder, 'test.db'), OPTIONS);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

test('one that stops is known to the moment, one that is killed to the minute', async () => {
  const first = make();
  first.start();
  expect(first.until).toBe(0);
  now = 61_000;
  vi.advanceTimersByTime(60_000);
  await expect.poll(() => make().until, { timeout: 10_000 }).toBe(61_000);
  now = 75_000;
  const second = make();
  second.start();
  await second.stop();
  expect(second.until).toBe(61_000);
  expect(make().until).toBe(75_000);
  await first.stop();
  expect(vi.getTimerCount()).toBe(0);
});
