// Reports at the desk: numbered, once, in order, and on disk.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Profiles } from '../agents/index.js';
import { DEFAULT_CONFIG } from '../mail/config.js';
import { Registry, type RegistryDeps } from '../sessions/registry.js';
import { blankRow } from '../sessions/session.js';
import { metaStep, readMeta, SessionTable, Store } from '../store/index.js';
import { SAME_MS, SignalDesk } from './desk.js';
import type { Report, Signal } from './signal.js';

const OPTIONS = { writerThread: new URL('../../dist/store/writer-thread.js', import.meta.url) };
const config = {
  ...DEFAULT_CONFIG,
  signalStates: { blocked: { urgency: 'high', attention: true } },
} as const;

let folder: string;
let store: Store;
let registry: Registry;
let desk: SignalDesk;
let heard: Signal[];
let now: number;

async function open(): Promise<void> {
  store = Store.open(path.join(folder, 'test.db'), OPTIONS);
  const deps: Partial<RegistryDeps> = { store, profiles: {} as Profiles, clock: () => now, log: () => {} };
  registry = new Registry(deps as RegistryDeps);
  for (const row of new SessionTable(store).present()) registry.load(row);
  desk = new SignalDesk({ store, registry, config, clock: () => now });
  desk.onSignal((signal) => heard.push(signal));
}

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smg-'));
  heard = [];
  now = 1_000_000;
  await open();
  for (const id of ['s', 'other']) await registry.insert({ ...blankRow(id, 0), name: id, state: 'live' });
});
afterEach(async () => {
  await store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const report = (more: Partial<Report> = {}): Report => ({
  session: 's',
  state: 'needs_input',
  message: 'Which port?',
  door: 'command',
  at: now,
  ...more,
});
const outcomes = async (...reports: Partial<Report>[]): Promise<string[]> => {
  const found: string[] = [];
  for (const each of reports) {
    const reported = await desk.report(report(each));
    found.push(reported.outcome === 'refused' ? 'refused' : `${reported.outcome} ${reported.signal.seq}`);
  }
  return found;
};

test('each is numbered in its session, on disk before it is heard, and shown by the session', async () => {
  desk.onSignal(({ session, seq }) =>
    expect(new SessionTable(store).present()).toContainEqual(
      expect.objectContaining({ id: session, signal_seq: seq }),
    ),
  );
  expect(await outcomes({}, { state: 'working', message: '' }, { session: 'other' })).toEqual([
    'new 1',
    'new 2',
    'new 1',
  ]);
  expect(heard.map(({ session, seq, ordinal }) => `${session} ${seq} ${ordinal}`)).toEqual([
    's 1 1',
    's 2 2',
    'other 1 3',
  ]);
  const shown = {
    signal_seq: 2,
    signal_state: 'working',
    signal_message: '',
    signal_door: 'command',
    last_signal_at: now,
  };
  expect(registry.get('s')?.row).toMatchObject(shown);
  await store.close();
  await open();
  expect(registry.get('s')?.row).toMatchObject(shown);
  expect(await outcomes({ state: 'idle' })).toEqual(['new 3']);
});

test('reports of one session are taken in the order in which they came, however many at once', async () => {
  const many = Array.from({ length: 50 }, (_, i) => report({ message: `${i}`, key: `k${i}` }));
  await Promise.all(many.map((each) => desk.report(each)));
  expect(heard.map(({ seq, message }) => [seq, message])).toEqual(
    many.map(({ message }, i) => [i + 1, message]),
  );
});

test.each<[string, Partial<Report>[], string[]]>([
  [
    'the same id, through any door and with other words',
    [{ id: 'a' }, { id: 'a', door: 'marker', at: 9e6, message: 'x' }, { id: 'b' }],
    ['new 1', 'known 1', 'new 2'],
  ],
  [
    'the same key of a door',
    [{ key: 'k' }, { key: 'k', at: 9e6 }, { key: 'k2' }],
    ['new 1', 'known 1', 'new 2'],
  ],
  [
    'two doors, moments apart',
    [{}, { door: 'file', at: 1_000_000 + SAME_MS, message: ' Which  port? ' }],
    ['new 1', 'known 1'],
  ],
  [
    'an agent that says it twice, on the screen first and in its record next',
    [
      { door: 'marker', key: '1' },
      { door: 'transcript', key: 'e2' },
    ],
    ['new 1', 'new 2'],
  ],
  ['two doors, too far apart', [{}, { door: 'file', at: 1_000_001 + SAME_MS }], ['new 1', 'new 2']],
  [
    'two doors, one of them read much later',
    [{}, { door: 'marker', at: 9_000_000, since: 999_000 }],
    ['new 1', 'known 1'],
  ],
  [
    'two doors, one of them said to be found since later than it was said',
    [{}, { door: 'file', since: 1_000_001 + SAME_MS }],
    ['new 1', 'known 1'],
  ],
  [
    'two doors, other words',
    [{}, { door: 'file', message: 'Which host?' }, { door: 'file', state: 'error' }],
    ['new 1', 'new 2', 'new 3'],
  ],
  ['one door never merges without a key', [{}, {}], ['new 1', 'new 2']],
  [
    'the same twice through two doors is two',
    [{}, {}, { door: 'file' }, { door: 'file' }, { door: 'file' }],
    ['new 1', 'new 2', 'known 1', 'known 2', 'new 3'],
  ],
  [
    'three doors',
    [{}, { door: 'marker' }, { door: 'file' }, { door: 'mcp' }],
    ['new 1', 'known 1', 'known 1', 'known 1'],
  ],
  [
    'a key of the second door is remembered',
    [{}, { door: 'file', key: 'p' }, { door: 'file', key: 'p', at: 9e6 }],
    ['new 1', 'known 1', 'known 1'],
  ],
  [
    'an id is not taken for one without',
    [{ id: 'a' }, { door: 'file' }, { door: 'mcp', id: 'c' }],
    ['new 1', 'new 2', 'new 3'],
  ],
  ['another session', [{ id: 'a' }, { session: 'other', id: 'a' }], ['new 1', 'new 1']],
])('once: %s', async (_, reports, expected) => {
  expect(await outcomes(...reports)).toEqual(expected);
  expect(heard).toHaveLength(expected.filter((each) => each.startsWith('new')).length);
});

test('what is inferred replaces no fresh word of the agent, and no number is spent on it', async () => {
  const guess = { door: 'inferred', state: 'idle', confidence: 0.7 } as const;
  expect(await outcomes({}, guess)).toEqual(['new 1', 'known 1']);
  now += config.signalFreshMs;
  expect(await outcomes(guess)).toEqual(['new 2']);
  expect(registry.get('s')?.row).toMatchObject({
    signal_state: 'idle',
    signal_door: 'inferred',
    last_signal_at: 1_000_000,
  });
  // The word of the agent is its own, also where it is what was inferred.
  expect(await outcomes({ state: 'idle' })).toEqual(['new 3']);
});

test('what was left and is heard late shows, and does not make the last word of the agent older', async () => {
  await outcomes({ at: now }, { at: now - 5000, message: 'left' });
  expect(registry.get('s')?.row).toMatchObject({
    signal_message: 'left',
    last_signal_at: now,
    signal_at: now - 5000,
  });
});

test('what belongs to a report is written with it, also where the signal is known, and not where it is refused', async () => {
  const place = () => readMeta(store.read, 'place');
  await desk.report(report({ state: 'no such' }), [metaStep('place', '0')]);
  expect(place()).toBeUndefined();
  await desk.report(report({ key: 'k' }), [metaStep('place', '1')]);
  expect(place()).toBe('1');
  await desk.report(report({ key: 'k' }), [metaStep('place', '2')]);
  expect(place()).toBe('2');
});

test.each<[Partial<Report>, string]>([
  [{ session: 'gone' }, 'session'],
  [{ state: 'Needs_Input' }, 'state'],
  [{ state: 'unheard_of' }, 'state'],
  [{ state: 'constructor' }, 'state'],
  [{ state: '' }, 'state'],
  [{ id: '' }, 'id'],
  [{ id: 'a b' }, 'id'],
  [{ id: 'x'.repeat(65) }, 'id'],
  [{ door: 'inferred', confidence: 2 }, 'confidence'],
])('refused: %j', async (more, field) => {
  expect(await desk.report(report(more))).toMatchObject({ outcome: 'refused', field });
  expect([heard, desk.list()]).toEqual([[], []]);
});

test('a state of the user is one, and a message is one line without control bytes, of bounded length', async () => {
  const long = `a\r\n\u001b[31mb\t c ${'x'.repeat(3000)}`;
  const reported = await desk.report(report({ state: 'blocked', message: long }));
  expect(reported).toMatchObject({ outcome: 'new', signal: { state: 'blocked' } });
  expect(heard[0]?.message).toMatch(/^a \u241b\[31mb c x+$/);
  expect(heard[0]?.message).toHaveLength(2000);
});

test('listed oldest first: the newest, or what follows a number', async () => {
  await outcomes(
    { message: 'a' },
    { message: 'b' },
    { session: 'other', message: 'c' },
    { message: 'd', at: now + 5 },
  );
  const texts = (query: Parameters<SignalDesk['list']>[0]) =>
    desk
      .list(query)
      .map(({ message }) => message)
      .join('');
  expect([
    texts({}),
    texts({ limit: 2 }),
    texts({ session: 's', after: 1 }),
    texts({ after: 1, limit: 2 }),
  ]).toEqual(['abcd', 'cd', 'bd', 'bc']);
  expect(texts({ since: now + 1 })).toBe('d');
  expect(desk.lastOf('s')).toMatchObject({ message: 'd', seq: 3 });
  expect(desk.lastOf('none')).toBeUndefined();
});
