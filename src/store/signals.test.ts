// Reading signals: what is asked for, and nothing else is gone through for it.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { blankRow } from '../sessions/session.js';
import { insertSession } from './sessions.js';
import { insertSignal, listSql, type SignalQuery, SignalTable } from './signals.js';
import { Store } from './store.js';

const OPTIONS = { writerThread: new URL('../../dist/store/writer-thread.js', import.meta.url) };

let folder: string;
let store: Store;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sms-'));
  store = Store.open(path.join(folder, 'test.db'), OPTIONS);
});
afterEach(async () => {
  await store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const planOf = (query: SignalQuery): string[] => {
  const rows = store.read.prepare(`EXPLAIN QUERY PLAN ${listSql(query)}`).all(query) as { detail: string }[];
  return rows.map(({ detail }) => detail).filter((detail) => / signals\b/.test(detail));
};

const BY_SESSION = 'SEARCH signals USING INDEX sqlite_autoindex_signals_1';

test.each<[Omit<SignalQuery, 'limit'>, string]>([
  // Backwards, up to the limit.
  [{}, 'SCAN signals'],
  [{ after: 5 }, 'SEARCH signals USING INTEGER PRIMARY KEY (rowid>?)'],
  [{ since: 7 }, 'SEARCH signals USING INDEX signals_at (at>?)'],
  [{ after: 5, since: 7 }, 'SEARCH signals USING INTEGER PRIMARY KEY (rowid>?)'],
  [{ session: 's' }, `${BY_SESSION} (session=?)`],
  [{ session: 's', since: 7 }, `${BY_SESSION} (session=?)`],
  [{ session: 's', after: 5 }, `${BY_SESSION} (session=? AND seq>?)`],
  [{ session: 's', after: 5, since: 7 }, `${BY_SESSION} (session=? AND seq>?)`],
])('%j is found by an index', (query, plan) => {
  expect(planOf({ ...query, limit: 3 })).toEqual([plan]);
});

test('whatever is asked for, it is what a plain reading of the question gives', async () => {
  const sessions = ['s', 't'];
  await store.write(sessions.map((id) => insertSession({ ...blankRow(id, 0), name: id })));
  const rows = Array.from({ length: 12 }, (_, i) => ({
    session: sessions[i % 2] as string,
    seq: Math.floor(i / 2) + 1,
    state: 'idle',
    message: String(i),
    id: null,
    door: 'http',
    print: 'idle',
    // Not in the order in which they were heard.
    at: (i * 7) % 12,
    heard_at: i,
    confidence: null,
  }));
  for (const row of rows) await store.write([insertSignal(row)]);
  const table = new SignalTable(store);
  const options = <T>(...values: T[]): (T | undefined)[] => [undefined, ...values];
  for (const session of options('s', 'nobody'))
    for (const after of options(0, 3, 100))
      for (const since of options(0, 6))
        for (const limit of [2, 100]) {
          const fitting = rows
            .map((row, i) => ({ ...row, ordinal: i + 1 }))
            .filter((row) => session === undefined || row.session === session)
            .filter((row) => after === undefined || (session === undefined ? row.ordinal : row.seq) > after)
            .filter((row) => since === undefined || row.at >= since);
          const expected = after === undefined ? fitting.slice(-limit) : fitting.slice(0, limit);
          const found = table.list({ session, after, since, limit });
          expect(
            found.map(({ ordinal }) => ordinal),
            JSON.stringify({ session, after, since, limit }),
          ).toEqual(expected.map(({ ordinal }) => ordinal));
        }
});
