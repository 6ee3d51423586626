// The desk against a plain model of its rules: whatever is reported, in whatever order, with restarts in between.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Profiles } from '../agents/index.js';
import { DEFAULT_CONFIG } from '../mail/config.js';
import { Registry, type RegistryDeps } from '../sessions/registry.js';
import { blankRow } from '../sessions/session.js';
import { SessionTable, Store } from '../store/index.js';
import { SAME_MS, SignalDesk } from './desk.js';
import type { Report } from './signal.js';

const OPTIONS = { writerThread: new URL('../../dist/store/writer-thread.js', import.meta.url) };

interface Said {
  seq: number;
  text: string;
  at: number;
  id: string | undefined;
  doors: Map<string, string | undefined>;
}

// As docs/signals.md says it.
class Model {
  readonly said: Said[] = [];

  take({ state, message, id, key, door, at, since = at }: Report): string {
    const text = `${state} ${message.replace(/\s/g, '')}`;
    const first =
      key === undefined
        ? undefined
        : this.said.find(({ doors }) => doors.has(door) && doors.get(door) === key);
    const found =
      (id !== undefined ? this.said.find((one) => one.id === id) : undefined) ??
      first ??
      (id === undefined
        ? this.said.find(
            (one) =>
              one.id === undefined &&
              one.text === text &&
              !one.doors.has(door) &&
              one.at >= since - SAME_MS &&
              one.at <= at + SAME_MS,
          )
        : undefined);
    if (found) {
      // A key stays with the first that came with it.
      if (!found.doors.has(door) && !first) found.doors.set(door, key);
      return `known ${found.seq}`;
    }
    const seq = this.said.length + 1;
    this.said.push({ seq, text, at, id, doors: new Map([[door, key]]) });
    return `new ${seq}`;
  }
}

const step = fc.record({
  state: fc.constantFrom('working', 'completed'),
  message: fc.constantFrom('a', 'a ', 'b'),
  id: fc.option(fc.constantFrom('x', 'y'), { nil: undefined, freq: 4 }),
  key: fc.option(fc.constantFrom('1', '2', '3'), { nil: undefined }),
  door: fc.constantFrom('command' as const, 'file' as const, 'marker' as const),
  later: fc.constantFrom(0, 3000, SAME_MS, SAME_MS + 1),
  hidden: fc.option(fc.constantFrom(1000, 30_000), { nil: undefined, freq: 3 }),
  restarts: fc.boolean(),
});

let folder: string;
let store: Store;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smp-'));
  store = Store.open(path.join(folder, 'test.db'), OPTIONS);
});
afterAll(async () => {
  await store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

test('numbers without a gap, and each thing once', { timeout: 60_000 }, async () => {
  let now = 1_000_000;
  let runs = 0;
  // What another daemon would find on disk.
  const open = (): [Registry, SignalDesk] => {
    const deps: Partial<RegistryDeps> = { store, profiles: {} as Profiles, clock: () => now };
    const registry = new Registry(deps as RegistryDeps);
    for (const row of new SessionTable(store).present()) registry.load(row);
    return [registry, new SignalDesk({ store, registry, config: DEFAULT_CONFIG, clock: () => now })];
  };
  const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
    const session = `s${++runs}`;
    let [registry, desk] = open();
    await registry.insert({ ...blankRow(session, 0), name: session, state: 'live' });
    const model = new Model();
    for (const { later, hidden, restarts, ...said } of steps) {
      now += later;
      const since = hidden === undefined ? undefined : now - hidden;
      const report: Report = { ...said, session, at: now, since };
      const expected = model.take(report);
      const got = await desk.report(report);
      expect(got.outcome === 'refused' ? got.reason : `${got.outcome} ${got.signal.seq}`).toBe(expected);
      if (restarts) [registry, desk] = open();
    }
    const seqs = desk.list({ session }).map(({ seq }) => seq);
    expect(seqs).toEqual(model.said.map(({ seq }) => seq));
    expect(registry.get(session)?.row.signal_seq).toBe(seqs.length);
  });
  await fc.assert(property, { numRuns: 50 });
});
