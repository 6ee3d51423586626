// The journal of drafts: exact texts, what is open, what is forgotten, and a file that only its owner can read.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Drafts, insertDraft, type NewDraft, purgeDrafts, updateDraft } from './drafts.js';
import { Unmet } from './errors.js';
import { Store } from './store.js';

let folder: string;
let store: Store;
let drafts: Drafts;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smd-'));
  store = Store.open(path.join(folder, 'test.db'), {
    writerThread: new URL('../../dist/store/writer-thread.js', import.meta.url),
  });
  drafts = new Drafts(store);
});
afterEach(async () => {
  await store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const draft = (id: string, more: Partial<NewDraft> = {}): NewDraft => ({
  id,
  session_id: 'aaaa0001',
  session_name: 'api',
  message_id: 'bbbb00000001',
  attempt: 1,
  protocol: 'editor',
  text: 'half a thought',
  caret: null,
  exact: 1,
  state: 'saved',
  proof: null,
  found: null,
  held_ms: null,
  created_at: 1000,
  updated_at: 1000,
  ...more,
});
const ids = (rows: { id: string }[]): string[] => rows.map(({ id }) => id);

test.each([
  ['several lines', 'one\n\n  two  \n\n'],
  ['what is not ASCII', 'naïve 漢字 👩‍👩‍👧 \u202e'],
  ['control bytes', '\t\x1b[31m\0\x7f\r'],
  ['nothing', ''],
  ['a lot', 'x'.repeat(1_000_000)],
])('keeps %s exactly', async (_, text) => {
  await store.write([insertDraft(draft('d1', { text, caret: 3 }))]);
  expect(drafts.get('d1')).toEqual({ seq: 1, ...draft('d1', { text, caret: 3 }) });
});

test('is found by its id, the beginning of it, and the attempt that it was saved for', async () => {
  await store.write([
    insertDraft(draft('abc1', { attempt: 1 })),
    insertDraft(draft('abc2', { attempt: 2 })),
    insertDraft(draft('abd3', { message_id: null, attempt: 0 })),
  ]);
  expect(drafts.get('abc')).toBeUndefined();
  expect(ids(drafts.startingWith('abc'))).toEqual(['abc1', 'abc2']);
  expect(ids(drafts.startingWith('abd'))).toEqual(['abd3']);
  expect(drafts.byAttempt('bbbb00000001', 2)?.id).toBe('abc2');
  expect(drafts.byAttempt('bbbb00000001', 3)).toBeUndefined();
});

describe('lists', () => {
  beforeEach(async () => {
    const states = ['saved', 'restored', 'differs', 'taken'] as const;
    await store.write([
      ...states.map((state, i) => insertDraft(draft(`a${i}`, { state }))),
      insertDraft(draft('b0', { session_id: 'aaaa0002' })),
    ]);
  });

  test.each([
    [{ limit: 10 }, ['a0', 'a1', 'a2', 'a3', 'b0']],
    [{ limit: 2 }, ['a3', 'b0']],
    [{ limit: 10, state: 'open' as const }, ['a0', 'a2', 'b0']],
    [{ limit: 10, state: 'restored' as const }, ['a1']],
    [{ limit: 10, session: 'aaaa0001', state: 'open' as const }, ['a0', 'a2']],
    [{ limit: 10, session: 'aaaa0003' }, []],
  ])('%j', (query, expected) => expect(ids(drafts.list(query))).toEqual(expected));

  test('what a session is still owed', () => {
    expect(ids(drafts.openFor('aaaa0001'))).toEqual(['a0', 'a2']);
    expect(ids(drafts.openFor('aaaa0002'))).toEqual(['b0']);
  });
});

test('changes only what is named, and fails for one that is not there', async () => {
  await store.write([insertDraft(draft('d1', { caret: 4 }))]);
  await store.write([
    updateDraft('d1', { state: 'restored', proof: 'read', held_ms: 420, updated_at: 2000 }),
  ]);
  expect(drafts.get('d1')).toMatchObject({
    state: 'restored',
    proof: 'read',
    held_ms: 420,
    caret: 4,
    text: 'half a thought',
    created_at: 1000,
    updated_at: 2000,
  });
  await expect(store.write([updateDraft('d2', { state: 'taken', updated_at: 1 })])).rejects.toThrow(Unmet);
  await expect(store.write([updateDraft('d1', { state: 'lost' as 'saved', updated_at: 1 })])).rejects.toThrow(
    'CHECK',
  );
});

test('forgets those that nothing has happened to for long', async () => {
  await store.write([
    insertDraft(draft('old', { updated_at: 999 })),
    insertDraft(draft('changed', { created_at: 1, updated_at: 1000 })),
  ]);
  const [purged] = await store.write([purgeDrafts(1000)]);
  expect(purged?.changes).toBe(1);
  expect(ids(drafts.list({ limit: 10 }))).toEqual(['changed']);
});

test('the files that hold them are private to their owner', async () => {
  await store.write([insertDraft(draft('d1'))]);
  for (const name of fs.readdirSync(folder))
    expect([name, fs.statSync(path.join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
});
