// What is done because of signals: once for each, in order, whatever crashes.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Machine } from '../../test/support/machine.js';
import type { Profiles } from '../agents/index.js';
import { DEFAULT_CONFIG } from '../mail/config.js';
import type { Config, SignalAction } from '../mail/index.js';
import { Registry, type RegistryDeps } from '../sessions/registry.js';
import { blankRow } from '../sessions/session.js';
import { SessionTable, Store } from '../store/index.js';
import { SignalDesk } from './desk.js';
import type { Performance, Performed } from './effects.js';
import type { Report } from './signal.js';
import { MOST_AGE_MS } from './use-rule.js';
import { Uses } from './uses.js';

const OPTIONS = { writerThread: new URL('../../dist/store/writer-thread.js', import.meta.url) };
const MOST_WAITING = 20;
const HOOK: SignalAction = {
  on: ['error'],
  session: '*',
  effect: { kind: 'webhook', hook: { url: 'https://a.example' } },
};
const NOTE: SignalAction = { on: null, session: '*', effect: { kind: 'desktop' } };

let folder: string;
let machine: Machine;
let config: Config;
let store: Store;
let registry: Registry;
let desk: SignalDesk;
let uses: Uses;
let logged: string[];
// What was done, and what each kind comes to.
let done: string[];
let manner: (performance: Performance) => Performed | Promise<Performed>;

async function open({ start = true } = {}): Promise<void> {
  store = Store.open(path.join(folder, 'test.db'), OPTIONS);
  const { clock, clockwork } = machine;
  const deps: Partial<RegistryDeps> = { store, profiles: {} as Profiles, clock, log: () => {} };
  registry = new Registry(deps as RegistryDeps);
  for (const row of new SessionTable(store).present()) registry.load(row);
  const perform = async (performance: Performance): Promise<Performed> => {
    const { signal, action } = performance;
    done.push(`${action.effect.kind} ${signal.session}${signal.seq}`);
    return manner(performance);
  };
  const log = (message: string): void => void logged.push(message);
  uses = new Uses({ store, config, effects: { perform }, clock, clockwork, log, mostWaiting: MOST_WAITING });
  await uses.configured();
  desk = new SignalDesk({ store, registry, config, clock, follow: uses.follow });
  if (start) await uses.start(desk);
}

// As far as a test can: what is written is there, and nothing else.
async function crash(): Promise<void> {
  void uses.dispose();
  await store.close();
}

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smv-'));
  machine = new Machine();
  config = { ...DEFAULT_CONFIG, signalActions: [NOTE, HOOK] };
  [done, logged] = [[], []];
  manner = () => ({ kind: 'done' });
  await open();
  for (const id of ['s', 't']) await registry.insert({ ...blankRow(id, 0), name: id, state: 'live' });
});
afterEach(async () => {
  await uses.dispose();
  await store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const report = (state: string, more: Partial<Report> = {}) =>
  desk.report({ session: 's', state, message: '', door: 'command', at: machine.now, ...more });
const states = (): string[] =>
  (store.read.prepare('SELECT state FROM signal_uses ORDER BY ordinal').pluck().all() as string[]) ?? [];
// While it is looked at, whatever is due happens.
const passing =
  <T>(look: () => T) =>
  async (): Promise<T> => {
    await machine.pass(0);
    return look();
  };
const settled = async (...expected: string[]): Promise<void> => {
  await expect.poll(passing(states)).toEqual(expected);
};

test('each action that is called for is taken, once for each signal, in order', async () => {
  await report('working');
  await report('needs_input');
  await report('error', { id: 'e' });
  await report('error', { id: 'e' });
  await report('error', { id: 'e', door: 'http' });
  await settled('done', 'done', 'done');
  expect(done.filter((one) => one.startsWith('desktop'))).toEqual(['desktop s2', 'desktop s3']);
  expect(done.filter((one) => one.startsWith('webhook'))).toEqual(['webhook s3']);
});

test('what was not come to before the end is done by the next daemon, and nothing twice', async () => {
  await report('error');
  await settled('done', 'done');
  await crash();
  await open({ start: false });
  await report('error');
  await crash();
  await open();
  await settled('done', 'done', 'done', 'done');
  expect(done.sort()).toEqual(['desktop s1', 'desktop s2', 'webhook s1', 'webhook s2']);
});

test('what was begun and cannot be taken back is not begun again: it is said that nobody knows', async () => {
  manner = () => new Promise(() => {});
  void report('needs_input');
  await settled('started');
  void uses.dispose();
  await store.close();
  manner = () => ({ kind: 'done' });
  await open();
  await settled('uncertain');
  expect(done).toEqual(['desktop s1']);
  expect(uses.table.failedSince(0, 10)).toMatchObject([{ reason: 'the daemon ended while it ran' }]);
});

test('what is not taken is tried again, across a restart too, and what comes after waits its turn', async () => {
  config.signalActions = [HOOK];
  await uses.configured();
  manner = () => ({ kind: 'not_taken', reason: 'it answered 500' });
  await report('error');
  await report('error', { session: 't' });
  await expect.poll(passing(() => uses.table.heads()[0]?.tries)).toBe(1);
  expect(done).toEqual(['webhook s1']);
  await crash();
  await open();
  await machine.pass(999);
  expect(done).toEqual(['webhook s1']);
  await machine.pass(1);
  await expect.poll(() => uses.table.heads()[0]?.tries).toBe(2);
  manner = () => ({ kind: 'done' });
  await machine.pass(2000);
  await settled('done', 'done');
  expect(done).toEqual(['webhook s1', 'webhook s1', 'webhook s1', 'webhook t1']);
});

test('one action that hangs keeps no other waiting, and no signal', async () => {
  let free = (): void => {};
  manner = ({ action }) =>
    action.effect.kind === 'desktop'
      ? new Promise((resolve) => {
          free = () => resolve({ kind: 'done' });
        })
      : { kind: 'done' };
  await report('error');
  await report('error');
  await expect.poll(passing(() => states().filter((state) => state === 'done'))).toHaveLength(2);
  expect(done.filter((one) => one.startsWith('desktop'))).toEqual(['desktop s1']);
  free();
  await expect.poll(passing(() => done.includes('desktop s2'))).toBe(true);
  free();
  await settled('done', 'done', 'done', 'done');
});

test('never for what was said before the action was there', async () => {
  machine.jump(1000);
  config.signalActions = [{ ...NOTE, on: ['idle'] }];
  await uses.configured();
  await report('idle', { at: machine.now - 1, key: 'a' });
  await report('idle', { key: 'b' });
  await settled('done');
  expect(done).toEqual(['desktop s2']);
  // Known since then, also to the next daemon.
  await crash();
  machine.jump(1000);
  await open();
  await report('idle', { at: machine.now - 500, key: 'c' });
  await settled('done', 'done');
  // Not for what is a day old by now, though the action is older.
  machine.jump(2 * MOST_AGE_MS);
  await report('idle', { at: machine.now - MOST_AGE_MS - 1, key: 'd' });
  await settled('done', 'done');
});

test('an action that is configured no more is not taken for what waits', async () => {
  manner = () => ({ kind: 'not_taken', reason: 'x' });
  config.signalActions = [HOOK];
  await uses.configured();
  await report('error');
  await expect.poll(passing(() => uses.table.heads()[0]?.tries)).toBe(1);
  config.signalActions = [NOTE];
  await uses.configured();
  await machine.pass(1000);
  await settled('dropped');
  expect(done).toHaveLength(1);
});

test('after a day it is given up', async () => {
  config.signalActions = [HOOK];
  await uses.configured();
  manner = () => ({ kind: 'not_taken', reason: 'it answered 500' });
  await report('error');
  await expect.poll(passing(() => uses.table.heads()[0]?.tries)).toBe(1);
  machine.jump(MOST_AGE_MS + 1);
  await machine.pass(60_000);
  await settled('failed');
  expect([done.length, logged.at(-1)]).toEqual([1, 'action given up']);
});

test('an effect that throws is given up, and the next one is done', async () => {
  manner = ({ signal }) => {
    if (signal.seq === 1) throw new Error('oh');
    return { kind: 'done' };
  };
  await report('needs_input');
  await report('needs_testing');
  await settled('failed', 'done');
  expect(logged).toContain('action failed');
});

test('a waiting line has an end, and what does not fit is said', async () => {
  config.signalActions = [HOOK];
  await uses.configured();
  manner = () => ({ kind: 'not_taken', reason: 'x' });
  await Promise.all(Array.from({ length: MOST_WAITING + 5 }, () => report('error')));
  expect(states().length).toBe(MOST_WAITING);
  expect(logged.filter((message) => message.includes('too many wait'))).toHaveLength(5);
});
