// The figures of a running daemon in the format of Prometheus: fed by what the ledger records, counted from its start.
import { Counter, Registry as Figures, Gauge, Histogram } from 'prom-client';
import { z } from 'zod';
import type { Ledger } from '../mail/index.js';
import type { SignalDesk } from '../signals/index.js';
import type { EventRow, MessageRow } from '../store/index.js';

export interface MetricsDeps {
  version: string;
  startedAt: number;
  ledger: Pick<Ledger, 'onEntry'>;
  signals: Pick<SignalDesk, 'onSignal'>;
  // Of each session that there is: how many messages wait for it.
  queues: () => Iterable<readonly [name: string, waiting: number]>;
  // How many sessions are in each state.
  sessions: () => Readonly<Record<string, number>>;
  // Drafts that were taken from an input box and are not known to be back.
  openDrafts: () => number;
}

// Seconds. An empty box takes a tenth; a person who types may keep mail waiting for hours.
const DELIVERY_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200];
const HOLD_BUCKETS = [0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1, 2, 3, 5, 10, 30];

// The level of the receipt that an event proves.
const LEVELS: Readonly<Record<string, string>> = {
  queued: 'queued',
  typed: 'typed',
  accepted: 'submitted',
  submitted: 'submitted',
  received: 'received',
  done: 'done',
};
// After these there is nothing left to deliver.
const OVER = new Set(['uncertain', 'cancelled', 'expired', 'dead']);
const DRAFTS: Readonly<Record<string, string>> = { saved: 'saved', restored: 'restored', differs: 'failed' };

const Data = z.object({
  way: z.string().optional(),
  door: z.string().optional(),
  reason: z.string().optional(),
  state: z.string().optional(),
});

export class Metrics {
  readonly #figures = new Figures();
  // How each message that is under way was last sent.
  readonly #ways = new Map<string, { way: string; door: string }>();
  readonly #events = this.#counter('message_events_total', 'what happened to messages', 'kind');
  readonly #receipts = this.#counter('receipts_total', 'receipts of messages, by level', 'level');
  readonly #holds = this.#counter('holds_total', 'times that a message had to wait, by reason', 'reason');
  readonly #drafts = this.#counter(
    'drafts_total',
    'drafts saved, restored, and not put back (failed)',
    'outcome',
  );
  readonly #signals = this.#counter(
    'signals_total',
    'what agents reported, by state and by the door through which it came first',
    'state',
    'door',
  );
  readonly #delivery = new Histogram({
    name: 'suremail_delivery_seconds',
    help: 'from queued to submitted, or through a door to received, by way in',
    labelNames: ['way', 'door'],
    buckets: DELIVERY_BUCKETS,
    registers: [this.#figures],
  });
  readonly #held = new Histogram({
    name: 'suremail_key_hold_seconds',
    help: "how long a person's keys waited",
    buckets: HOLD_BUCKETS,
    registers: [this.#figures],
  });

  constructor({ version, startedAt, ledger, signals, queues, sessions, openDrafts }: MetricsDeps) {
    const gauge = (
      name: string,
      help: string,
      collect: (gauge: Gauge) => void,
      ...labelNames: string[]
    ): void => {
      new Gauge({
        name,
        help,
        labelNames,
        registers: [this.#figures],
        collect() {
          this.reset();
          collect(this);
        },
      });
    };
    gauge('suremail_info', 'the version that runs', (each) => each.set({ version }, 1), 'version');
    const waiting = (each: Gauge): void => {
      for (const [session, count] of queues()) each.set({ session }, count);
    };
    gauge('suremail_queue_depth', 'messages that wait for a session', waiting, 'session');
    const states = (each: Gauge): void => {
      for (const [state, count] of Object.entries(sessions())) each.set({ state }, count);
    };
    gauge('suremail_sessions', 'sessions, by state', states, 'state');
    const open = 'drafts that are not known to be back in their box';
    gauge('suremail_drafts_open', open, (each) => each.set(openDrafts()));
    gauge('process_start_time_seconds', 'when it started', (each) => each.set(startedAt / 1000));
    const memory = 'its memory';
    gauge('process_resident_memory_bytes', memory, (each) => each.set(process.memoryUsage.rss()));
    new Counter({
      name: 'process_cpu_seconds_total',
      help: 'the time that it has used of a processor',
      registers: [this.#figures],
      collect() {
        const { user, system } = process.cpuUsage();
        this.reset();
        this.inc((user + system) / 1e6);
      },
    });
    // From the start on, so that a rate can be told from the first one.
    for (const level of new Set(Object.values(LEVELS))) this.#receipts.inc({ level }, 0);
    for (const outcome of Object.values(DRAFTS)) this.#drafts.inc({ outcome }, 0);
    signals.onSignal(({ state, door }) => this.#signals.inc({ state, door }));
    ledger.onEntry(({ message, event }) => this.#count(message, event));
  }

  get contentType(): string {
    return this.#figures.contentType;
  }

  text(): Promise<string> {
    return this.#figures.metrics();
  }

  keysHeld(ms: number): void {
    this.#held.observe(ms / 1000);
  }

  #count({ id, created_at }: MessageRow, { kind, data, at }: EventRow): void {
    this.#events.inc({ kind });
    const level = LEVELS[kind];
    if (level !== undefined) this.#receipts.inc({ level });
    // Most events say nothing that is counted.
    const { way, door = '', reason, state } = COUNTED.has(kind) ? Data.parse(JSON.parse(data)) : {};
    if (kind === 'held' && reason !== undefined) this.#holds.inc({ reason });
    if (kind === 'draft') this.#drafts.inc({ outcome: DRAFTS[state ?? ''] ?? 'failed' });
    if (kind === 'attempt' && way !== undefined) this.#ways.set(id, { way, door });
    if (OVER.has(kind)) this.#ways.delete(id);
    if (kind !== 'submitted' && kind !== 'received') return;
    const sent = this.#ways.get(id);
    this.#ways.delete(id);
    // One that an earlier daemon sent, or that was counted when it was submitted.
    if (sent) this.#delivery.observe({ ...sent }, Math.max(0, at - created_at) / 1000);
  }

  #counter(name: string, help: string, ...labelNames: string[]): Counter {
    return new Counter({
      name: `suremail_${name}`,
      help,
      labelNames,
      registers: [this.#figures],
    });
  }
}

const COUNTED = new Set(['held', 'draft', 'attempt']);
