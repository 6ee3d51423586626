// Inference: a silent session is asked about once, within the budget, and never over its agent's own fresh word.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Machine } from '../../test/support/machine.js';
import type { Profiles } from '../agents/index.js';
import { DEFAULT_CONFIG } from '../mail/config.js';
import type { Config } from '../mail/index.js';
import { Registry, type RegistryDeps } from '../sessions/registry.js';
import { blankRow } from '../sessions/session.js';
import { SessionTable, Store } from '../store/index.js';
import type { Classified } from './classifier.js';
import { SignalDesk } from './desk.js';
import { Inference } from './inference.js';

const OPTIONS = { writerThread: new URL('../../dist/store/writer-thread.js', import.meta.url) };
const SILENCE = 30_000;

let folder: string;
let machine: Machine;
let config: Config;
let store: Store;
let registry: Registry;
let desk: SignalDesk;
let inference: Inference;
let screens: Record<string, string>;
// Which screens were asked about, and what is said of them.
let asked: string[];
let answer: (session: string) => Classified | Promise<Classified>;

async function open(): Promise<void> {
  store = Store.open(path.join(folder, 'test.db'), OPTIONS);
  const { clock, clockwork } = machine;
  const deps: Partial<RegistryDeps> = { store, profiles: {} as Profiles, clock, log: () => {} };
  registry = new Registry(deps as RegistryDeps);
  for (const row of new SessionTable(store).present()) registry.load(row);
  desk = new SignalDesk({ store, registry, config, clock });
  inference = new Inference({
    store,
    registry,
    desk,
    config,
    clock,
    clockwork,
    screenOf: async ({ id }) => screens[id] ?? '',
    classify: async (_, { session, screen }) => {
      asked.push(`${session.id}: ${screen}`);
      return answer(session.id);
    },
    log: () => {},
  });
  inference.start();
}

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smi-'));
  machine = new Machine();
  config = {
    ...DEFAULT_CONFIG,
    inference: {
      by: { kind: 'command', argv: ['x'] },
      silenceMs: SILENCE,
      timeoutMs: 1000,
      budget: { count: 100, perMs: 3_600_000 },
      confidence: 0.6,
    },
  };
  [screens, asked] = [{ s: 'one' }, []];
  answer = () => answered('needs_input', 0.9);
  await open();
  await add('s');
});
afterEach(async () => {
  await inference.dispose();
  await store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const answered = (state: string, confidence: number): Classified => ({
  kind: 'answered',
  answer: { state, message: 'it asks', confidence },
});
async function add(id: string): Promise<void> {
  const session = await registry.insert({ ...blankRow(id, 0), name: id, state: 'starting' });
  await registry.change(session, { state: 'live' });
}
// Its agent prints another screen.
function print(id: string, screen: string): void {
  screens[id] = screen;
  const session = registry.get(id);
  if (!session) throw new Error(id);
  session.tracker = { lastOutputAt: machine.now, dispose: () => {} } as unknown as typeof session.tracker;
  registry.stir(session);
}
const signals = (): string[] =>
  desk.list().map(({ session, state, door, confidence }) => `${session} ${state} ${door} ${confidence}`);
// Time goes by, and whatever that begins comes to its end.
async function pass(ms: number): Promise<void> {
  await machine.pass(ms);
  for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
  await machine.pass(0);
}

test('one that has been silent is asked about, once for its screen', async () => {
  await pass(SILENCE - 1);
  expect(asked).toEqual([]);
  await pass(1);
  await expect.poll(signals).toEqual(['s needs_input inferred 0.9']);
  await pass(100 * SILENCE);
  expect(asked).toEqual(['s: one']);
  expect(registry.get('s')?.row).toMatchObject({ signal_state: 'needs_input', last_signal_at: null });
});

test('another screen, and the first one again, are other questions', async () => {
  await pass(SILENCE);
  await expect.poll(signals).toHaveLength(1);
  for (const [screen, state] of [
    ['two', 'completed'],
    ['one', 'needs_input'],
  ] as const) {
    answer = () => answered(state, 0.9);
    print('s', screen);
    await pass(SILENCE);
  }
  await expect.poll(signals).toHaveLength(3);
  expect(asked).toEqual(['s: one', 's: two', 's: one']);
  expect(desk.lastOf('s')?.state).toBe('needs_input');
});

test('one that prints on is not silent', async () => {
  for (let n = 0; n < 10; n++) {
    print('s', `line ${n}`);
    await pass(SILENCE - 1000);
  }
  expect(asked).toEqual([]);
});

test("its agent's own word stands while it is fresh, also when it comes while somebody is asked", async () => {
  await desk.report({ session: 's', state: 'working', message: '', door: 'command', at: machine.now });
  await pass(config.signalFreshMs - 1);
  expect(asked).toEqual([]);
  let say = (_: Classified): void => {};
  answer = () =>
    new Promise((resolve) => {
      say = resolve;
    });
  await pass(1);
  await expect.poll(() => asked).toHaveLength(1);
  await desk.report({ session: 's', state: 'completed', message: '', door: 'command', at: machine.now });
  say(answered('idle', 1));
  await pass(1000);
  expect(signals()).toEqual(['s working command null', 's completed command null']);
  // The same screen is another question after that.
  answer = () => answered('idle', 1);
  await pass(config.signalFreshMs);
  await expect.poll(signals).toContain('s idle inferred 1');
});

test('what still waits is not said again when its own word has grown old; what goes on and waits again is', async () => {
  await desk.report({ session: 's', state: 'needs_input', message: '', door: 'command', at: machine.now });
  print('s', 'Which port?');
  await pass(config.signalFreshMs + SILENCE);
  await expect.poll(() => asked).toEqual(['s: Which port?']);
  await pass(SILENCE);
  expect(signals()).toEqual(['s needs_input command null']);
  print('s', 'Which host?');
  await pass(SILENCE);
  await expect.poll(signals).toEqual(['s needs_input command null', 's needs_input inferred 0.9']);
});

test('what an earlier daemon inferred from the same screen is not asked again', async () => {
  await pass(SILENCE);
  await expect.poll(signals).toHaveLength(1);
  await inference.dispose();
  await store.close();
  await open();
  await pass(2 * SILENCE);
  expect(asked).toEqual(['s: one']);
  print('s', 'two');
  await pass(SILENCE);
  await expect.poll(() => asked).toEqual(['s: one', 's: two']);
});

test('too little confidence, and what makes no sense, count for nothing', async () => {
  answer = () => answered('error', 0.59);
  await pass(SILENCE);
  await expect.poll(() => asked).toHaveLength(1);
  answer = () => ({ kind: 'refused', reason: 'nonsense' });
  print('s', 'two');
  await pass(SILENCE);
  await expect.poll(() => inference.failure).toBe('nonsense');
  await pass(100 * SILENCE);
  expect([asked, signals()]).toEqual([['s: one', 's: two'], []]);
});

test('no more than the budget, in all; the rest when there is some again', async () => {
  if (config.inference) config.inference = { ...config.inference, budget: { count: 2, perMs: 3_600_000 } };
  for (const id of ['t', 'u']) await add(id);
  await pass(SILENCE);
  await expect.poll(() => asked).toHaveLength(2);
  await pass(3_600_000 - SILENCE);
  expect(asked).toHaveLength(2);
  await pass(SILENCE);
  await expect.poll(() => asked).toHaveLength(3);
  expect(new Set(asked).size).toBe(3);
});

test('off it costs nothing; switched on it begins, and switched off it ends', async () => {
  const by = config.inference;
  config.inference = null;
  inference.configured();
  expect(machine.pending).toBe(0);
  print('s', 'two');
  await pass(100 * SILENCE);
  expect(asked).toEqual([]);
  config.inference = by;
  inference.configured();
  await pass(SILENCE);
  await expect.poll(() => asked).toEqual(['s: two']);
});

test('a session that ends or is a shell is not looked at', async () => {
  const session = registry.get('s');
  if (!session) throw new Error('s');
  await registry.change(session, { state: 'ended' });
  await pass(2 * SILENCE);
  await add('shell');
  const shell = registry.get('shell');
  if (!shell) throw new Error('shell');
  await registry.change(shell, { program: JSON.stringify({ pid: 1, started: 1, argv: ['bash'] }) });
  await pass(2 * SILENCE);
  expect(asked).toEqual([]);
});
