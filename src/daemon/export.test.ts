// The history as lines: all of it, each message with its events, of sessions that are gone too.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MailDesk } from '../../test/support/mail-desk.js';
import { ExportLine } from '../api/ops-schemas.js';
import { History, insertSignal } from '../store/index.js';
import { exportPages } from './export.js';

let desk: MailDesk;
beforeEach(async () => {
  desk = await MailDesk.open();
});
afterEach(() => desk.close());

type Line = Record<string, unknown>;
const lines = (since = 0): Line[] =>
  [...exportPages(new History(desk.store), since)]
    .join('')
    .split('\n')
    .slice(0, -1)
    .map((line) => ExportLine.parse(JSON.parse(line)) as Line);

test('sessions, messages with their events, and the end', async () => {
  const createdAt = Date.parse('2026-01-31T12:00:00Z');
  const row = await desk.message({ createdAt, text: 'a\nb "c"' });
  await desk.ledger.record(row, { kind: 'held', reason: 'draft', detail: 'x' });
  const [session, message, queued, held, end, ...others] = lines();
  expect(session).toMatchObject({ type: 'session', id: 's', name: 's', removed_at: null, command: [] });
  expect(Object.keys(session ?? {})).not.toContain('door');
  expect(message).toMatchObject({
    type: 'message',
    id: row.id,
    text: 'a\nb "c"',
    command: false,
    created_at: '2026-01-31T12:00:00.000Z',
    settled_at: null,
    state: 'pending',
    held: { reason: 'draft', detail: 'x' },
  });
  expect(Object.keys(message ?? {})).not.toContain('rank');
  expect(queued).toMatchObject({
    type: 'event',
    message: row.id,
    kind: 'queued',
    at: '2026-01-31T12:00:00.000Z',
    data: {},
  });
  expect(held).toMatchObject({
    type: 'event',
    message: row.id,
    kind: 'held',
    data: { reason: 'draft', detail: 'x' },
  });
  expect(end).toEqual({ type: 'end', sessions: 1, messages: 1, events: 2, signals: 0 });
  expect(others).toEqual([]);
});

test('since a moment, over many pages', async () => {
  const old = Array.from({ length: 700 }, (_, i) => desk.message({ createdAt: 1000 + i }));
  const young = Array.from({ length: 600 }, () => desk.message({ createdAt: 5000 }));
  await Promise.all([...old, ...young]);
  expect(lines(5000).at(-1)).toEqual({ type: 'end', sessions: 1, messages: 600, events: 600, signals: 0 });
  const ids = lines().flatMap(({ type, id }) => (type === 'message' ? [id] : []));
  expect([ids.length, new Set(ids).size]).toEqual([1300, 1300]);
});

test('nothing but a session', () => {
  expect(lines().map(({ type }) => type)).toEqual(['session', 'end']);
});

test('signals, over many pages and since a moment', async () => {
  const signal = (seq: number, at: number) =>
    insertSignal({
      session: 's',
      seq,
      state: 'idle',
      message: 'm',
      id: null,
      door: 'file',
      print: 'idle m',
      at,
      heard_at: at,
      confidence: null,
    });
  await desk.store.write(Array.from({ length: 1100 }, (_, i) => signal(i + 1, i < 100 ? 1000 : 5000)));
  const all = lines().filter(({ type }) => type === 'signal');
  expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: 1100 }, (_, i) => i + 1));
  expect(all[0]).toMatchObject({ session: 's', state: 'idle', door: 'file', at: '1970-01-01T00:00:01.000Z' });
  expect(lines(5000).at(-1)).toMatchObject({ type: 'end', signals: 1000 });
});
