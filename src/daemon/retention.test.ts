// Old history goes after the time that is set; what is pending stays however old it is.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { blankRow } from '../sessions/session.js';
import {
  insertEvent,
  insertSession,
  insertSignal,
  insertSignalDoor,
  type MessagePhase,
  Store,
  updateSession,
} from '../store/index.js';
import { startRetention } from './retention.js';

const DAY = 86_400_000;
const NOW = 1000 * DAY;
const OPTIONS = { writerThread: new URL('../../dist/store/writer-thread.js', import.meta.url) };
const config = { draftRetentionMs: 30 * DAY, historyDays: 90 };

let folder: string;
let store: Store;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smr-'));
  store = Store.open(path.join(folder, 'test.db'), OPTIONS);
});
afterEach(async () => {
  await store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const session = (id: string, removedAt: number | null) =>
  store.write([insertSession({ ...blankRow(id, 0), name: id, removed_at: removedAt })]);
const message = (id: string, to: string, state: MessagePhase, settledAt: number | null) =>
  store.write([
    {
      sql: `INSERT INTO messages (id, recipient, sender_name, text, created_at, thread, state, receipt, settled_at)
            VALUES (?, ?, 'user', 'x', 1, ?, ?, 'queued', ?)`,
      values: [id, to, id, state, settledAt],
    },
    insertEvent(id, 1, 'queued', '{}'),
  ]);
const ids = (sql: string): unknown[] => store.read.prepare(sql).pluck().all();
const run = async (changed: Partial<typeof config> = {}): Promise<void> => {
  const deps = { store, config: { ...config, ...changed }, clock: () => NOW, log: () => {} };
  (await startRetention(deps)).dispose();
};

test('messages that are over go with their events; pending ones and their sessions stay', async () => {
  const [old, young] = [NOW - 91 * DAY, NOW - 89 * DAY];
  await session('live', null);
  await session('removed', old);
  await session('removed-with-mail', old);
  await message('old-settled', 'live', 'settled', old);
  await message('old-cancelled', 'removed', 'cancelled', old);
  await message('young', 'removed-with-mail', 'settled', young);
  await message('pending', 'live', 'pending', null);
  // A state that something may still happen to, whatever else its row says.
  await message('accepted', 'live', 'accepted', old);
  await message('attempting', 'live', 'attempting', old);
  await run();
  const kept = ['accepted', 'attempting', 'pending', 'young'];
  expect(ids('SELECT id FROM messages ORDER BY id')).toEqual(kept);
  expect(ids('SELECT message_id FROM message_events ORDER BY message_id')).toEqual(kept);
  expect(ids('SELECT id FROM sessions ORDER BY id')).toEqual(['live', 'removed-with-mail']);
});

test('more than fit into one unit of writes', async () => {
  await session('live', null);
  await Promise.all(Array.from({ length: 1203 }, (_, i) => message(`m${i}`, 'live', 'settled', 1)));
  await run();
  expect(ids('SELECT COUNT(*) FROM messages')).toEqual([0]);
});

test('0 keeps everything', async () => {
  await session('live', null);
  await message('old', 'live', 'settled', 1);
  await run({ historyDays: 0 });
  expect(ids('SELECT id FROM messages')).toEqual(['old']);
});

test('signals go, but for the last one of a session that is there; with those of a removed session it goes too', async () => {
  const [old, young] = [NOW - 91 * DAY, NOW - 89 * DAY];
  await session('live', null);
  await session('removed', old);
  const signal = (of: string, seq: number, at: number) =>
    store.write([
      insertSignal({
        session: of,
        seq,
        state: 'idle',
        message: '',
        id: null,
        door: 'file',
        print: 'idle ',
        at,
        heard_at: at,
        confidence: null,
      }),
      insertSignalDoor(of, seq, 'file', null),
      updateSession(of, { signal_seq: seq }),
    ]);
  for (let seq = 1; seq <= 600; seq++) await signal('live', seq, old);
  await signal('removed', 1, old);
  await run();
  expect(ids('SELECT seq FROM signals')).toEqual([600]);
  expect(ids('SELECT seq FROM signal_doors')).toEqual([600]);
  expect(ids('SELECT id FROM sessions')).toEqual(['live']);
  await signal('live', 601, young);
  await run();
  expect(ids('SELECT seq FROM signals')).toEqual([601]);
});
