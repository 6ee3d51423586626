// The figures that Prometheus reads, fed by a real ledger.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MailDesk } from '../../test/support/mail-desk.js';
import type { Signal } from '../signals/index.js';
import { Emitter } from '../tmux/index.js';
import { Metrics } from './metrics.js';

let desk: MailDesk;
let metrics: Metrics;
let signals: Emitter<Signal>;
let waiting: [string, number][];
beforeEach(async () => {
  desk = await MailDesk.open();
  waiting = [];
  signals = new Emitter();
  metrics = new Metrics({
    version: '1.2.3',
    startedAt: 5000,
    ledger: desk.ledger,
    signals: { onSignal: signals.event },
    queues: () => waiting,
    sessions: () => ({ live: 2, gone: 0 }),
    openDrafts: () => 3,
  });
});
afterEach(() => desk.close());

// The value of each series that begins so.
async function series(name: string): Promise<Record<string, number>> {
  const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith(name));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}

test('what is asked for at the moment of a scrape', async () => {
  waiting = [
    ['api', 2],
    ['we"b', 0],
  ];
  expect(await series('suremail_queue_depth')).toEqual({
    'suremail_queue_depth{session="api"}': 2,
    'suremail_queue_depth{session="we\\"b"}': 0,
  });
  // A session that is gone is shown no longer.
  waiting = [['api', 1]];
  expect(await series('suremail_queue_depth')).toEqual({ 'suremail_queue_depth{session="api"}': 1 });
  expect(await series('suremail_sessions')).toEqual({
    'suremail_sessions{state="live"}': 2,
    'suremail_sessions{state="gone"}': 0,
  });
  expect(await series('suremail_drafts_open')).toEqual({ suremail_drafts_open: 3 });
  expect(await series('suremail_info')).toEqual({ 'suremail_info{version="1.2.3"}': 1 });
  expect(await series('process_start_time')).toEqual({ process_start_time_seconds: 5 });
  expect((await series('process_resident')).process_resident_memory_bytes).toBeGreaterThan(1e6);
  expect((await series('process_cpu')).process_cpu_seconds_total).toBeGreaterThan(0);
  expect(metrics.contentType).toContain('text/plain; version=0.0.4');
});

test('receipts, holds, drafts, and the time of a delivery by way in', async () => {
  const late = await desk.message({ createdAt: Date.now() - 7000 });
  const held = await desk.ledger.record(late, { kind: 'held', reason: 'draft', detail: '' });
  await desk.attempted(
    held,
    'editor',
    { kind: 'draft', draft: 'd', state: 'saved' },
    { kind: 'typed', evidence: 'id' },
    { kind: 'draft', draft: 'd', state: 'differs' },
    { kind: 'submitted', evidence: 'id' },
    { kind: 'received', evidence: 'transcript', turn: 't' },
  );
  const fast = await desk.message();
  await desk.attempted(
    fast,
    'door',
    { kind: 'accepted', evidence: 'queue' },
    { kind: 'received', evidence: 'echo', turn: 't' },
    { kind: 'done', evidence: 'stop', how: 'completed' },
  );
  const lost = await desk.message();
  await desk.attempted(lost, 'direct', { kind: 'uncertain', reason: 'gone' });

  expect(await series('suremail_receipts_total')).toEqual({
    'suremail_receipts_total{level="queued"}': 3,
    'suremail_receipts_total{level="typed"}': 1,
    'suremail_receipts_total{level="submitted"}': 2,
    'suremail_receipts_total{level="received"}': 2,
    'suremail_receipts_total{level="done"}': 1,
  });
  expect(await series('suremail_holds_total')).toEqual({ 'suremail_holds_total{reason="draft"}': 1 });
  expect(await series('suremail_drafts_total')).toEqual({
    'suremail_drafts_total{outcome="saved"}': 1,
    'suremail_drafts_total{outcome="restored"}': 0,
    'suremail_drafts_total{outcome="failed"}': 1,
  });
  expect(await series('suremail_message_events_total{kind="uncertain"')).toEqual({
    'suremail_message_events_total{kind="uncertain"}': 1,
  });
  // Each once, however many receipts follow.
  expect(await series('suremail_delivery_seconds_count')).toEqual({
    'suremail_delivery_seconds_count{way="editor",door=""}': 1,
    'suremail_delivery_seconds_count{way="door",door=""}': 1,
  });
  const buckets = await series('suremail_delivery_seconds_bucket');
  expect(buckets['suremail_delivery_seconds_bucket{le="5",way="editor",door=""}']).toBe(0);
  expect(buckets['suremail_delivery_seconds_bucket{le="10",way="editor",door=""}']).toBe(1);
});

test('how long keys waited', async () => {
  metrics.keysHeld(180);
  metrics.keysHeld(420);
  expect(await series('suremail_key_hold_seconds_sum')).toEqual({ suremail_key_hold_seconds_sum: 0.6 });
  expect(
    (await series('suremail_key_hold_seconds_bucket'))['suremail_key_hold_seconds_bucket{le="0.2"}'],
  ).toBe(1);
});

test('signals, by state and door', async () => {
  for (const state of ['error', 'error', 'idle']) signals.fire({ state, door: 'file' } as Signal);
  expect(await series('suremail_signals_total')).toEqual({
    'suremail_signals_total{state="error",door="file"}': 2,
    'suremail_signals_total{state="idle",door="file"}': 1,
  });
});
