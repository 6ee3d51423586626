// A door is opened only for a session that is still there, and for the process that runs now; whoever waits for it is told.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DoorContext } from '../agents/door.js';
import type { Door, DoorEvent, Status } from '../agents/index.js';
import { Emitter } from '../tmux/index.js';
import { DoorFolders } from './door-folders.js';
import { Doors } from './doors.js';
import type { Registry } from './registry.js';
import type { Session } from './session.js';

const happened = new Emitter<{ type: string; session: Session }>();
const heard = new Emitter<DoorEvent>();
let made: Partial<Door>;
const open = vi.fn(() => made);
const given = (): DoorContext => (open.mock.lastCall as unknown as [DoorContext])[0];
const stir = vi.fn();
const change = vi.fn(async (_: Session, more: object) => {
  session.row = { ...session.row, ...more };
});
let hooksRead: () => Promise<void>;
let folder: string;
let session: Session;
let doors: Doors;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-doors-'));
  vi.clearAllMocks();
  made = { state: { kind: 'open' }, onEvent: heard.event, dispose: () => {} };
  hooksRead = async () => {};
  session = {
    id: 's',
    name: 's',
    host: null,
    row: { epoch: 1, state: 'live', server: '1:2', pane: '%1', cwd: '/', origin: 'adopted' },
    program: { pid: process.pid, started: 'another of that number', argv: ['agent'] },
    profile: { name: 'agent', packages: [], door: { open } },
    doorFacts: {},
    get status(): unknown {
      return session.row.status ? JSON.parse(session.row.status) : undefined;
    },
  } as unknown as Session;
  const registry = { onEvent: happened.event, list: () => [session], stir, change };
  doors = new Doors({
    registry: registry as unknown as Registry,
    folders: new DoorFolders(folder),
    isOn: () => true,
    hooksRead: () => hooksRead(),
    clock: Date.now,
    log: () => {},
  });
});
afterEach(() => {
  doors.dispose();
  fs.rmSync(folder, { recursive: true, force: true });
});

test('a session that was removed while its door was being opened gets none', async () => {
  const opening = doors.openAll();
  happened.fire({ type: 'removed', session });
  await opening;
  expect(open).not.toHaveBeenCalled();
  await doors.openAll();
  expect(open).toHaveBeenCalledTimes(1);
});

test('one that is coming is said to be, and who waits looks again only once that is over', async () => {
  const seen: boolean[] = [];
  stir.mockImplementation(() => seen.push(doors.isComing(session)));
  const opening = doors.openAll();
  expect(doors.isComing(session)).toBe(true);
  expect(doors.of(session)).toBeUndefined();
  await opening;
  expect(doors.of(session)).toBeDefined();
  expect(seen).toEqual([false]);
});

test('the door of a process that has taken the pane is coming before anybody has told of it', async () => {
  await doors.openAll();
  expect([doors.isComing(session), doors.of(session)]).toEqual([false, expect.anything()]);
  session.row = { ...session.row, epoch: 2 };
  expect([doors.isComing(session), doors.of(session)]).toEqual([true, undefined]);
  happened.fire({ type: 'changed', session });
  await doors.openAll();
  expect([doors.isComing(session), doors.of(session)]).toEqual([false, expect.anything()]);
  session.row = { ...session.row, state: 'ended' };
  expect(doors.isComing(session)).toBe(false);
});

const ended = (): void => {
  session.row = { ...session.row, state: 'ended' };
  happened.fire({ type: 'changed', session });
};

test('with its process ended what it did, once all that its hooks left is heard', async () => {
  const told: unknown[] = [];
  doors.onEvent(({ epoch, event }) => told.push([epoch, event.kind, 'how' in event && event.how]));
  let read = (): void => {};
  hooksRead = () =>
    new Promise((resolve) => {
      read = resolve;
    });
  await doors.openAll();
  expect(doors.mayTell(session, 1)).toBe(true);
  ended();
  expect([doors.of(session), doors.mayTell(session, 1), told]).toEqual([undefined, true, []]);
  read();
  await expect.poll(() => doors.mayTell(session, 1)).toBe(false);
  expect(told).toEqual([[1, 'turn_ended', 'interrupted']]);
});

test('the next process in its pane ends it as well, and tells nothing of it', async () => {
  const told: number[] = [];
  doors.onEvent(({ epoch }) => told.push(epoch));
  await doors.openAll();
  session.row = { ...session.row, epoch: 2 };
  happened.fire({ type: 'changed', session });
  await expect.poll(() => told).toEqual([1]);
  await doors.openAll();
  expect([doors.mayTell(session, 1), doors.mayTell(session, 2)]).toEqual([false, true]);
});

test.each<[string, () => void]>([
  ['its door was not open', () => Object.assign(made, { state: { kind: 'shut', reason: 'old' } })],
  ['its turns run in a server', () => Object.assign(session.profile.door ?? {}, { hasServer: true })],
])('nothing is said of its turn where nobody can know: %s', async (_, given) => {
  given();
  const told = vi.fn();
  doors.onEvent(told);
  await doors.openAll();
  ended();
  await new Promise(setImmediate);
  expect([told.mock.calls, doors.mayTell(session, 1)]).toEqual([[], false]);
});

test.each<[Partial<Status>, Status | undefined, string | null]>([
  [{ source: 'door', state: 'busy' }, undefined, null],
  [{ source: 'registry', state: 'waiting' }, undefined, null],
  [{ source: 'hook', state: 'waiting' }, undefined, 'waiting'],
  [{ source: 'door', state: 'busy' }, { source: 'door', state: 'idle', since: 1, detail: null }, 'idle'],
])('known from before: %j; the door says %j; known now: %s', async (before, says, now) => {
  session.row = { ...session.row, status: JSON.stringify({ epoch: 1, ...before }) };
  Object.assign(made, { status: says });
  await doors.openAll();
  expect(session.status?.state ?? null).toBe(now);
});

test('facts that say that a turn is over are on disk only once its end is', async () => {
  const order: string[] = [];
  let isRecorded = (): void => {};
  doors.onEvent(({ until }) => until(new Promise<void>((resolve) => (isRecorded = resolve))));
  change.mockImplementation(async () => void order.push('facts'));
  Object.assign(session, { withDoorFacts: JSON.stringify });
  await doors.openAll();
  const { saveFacts } = given();
  heard.fire({ kind: 'changed' });
  const first = saveFacts({ turn: 'none' }, 'told');
  await saveFacts({ thread: 't' });
  expect(order).toEqual(['facts']);
  order.push('end');
  isRecorded();
  await first;
  expect(order).toEqual(['facts', 'end', 'facts']);
});

test('and not at all where its end could not be written: it is to be told again', async () => {
  doors.onEvent(({ until }) => until(Promise.reject(new Error('the disk is full'))));
  await doors.openAll();
  const { saveFacts } = given();
  heard.fire({ kind: 'changed' });
  await expect(saveFacts({ turn: 'none' }, 'told')).rejects.toThrow('the disk is full');
  expect(change).not.toHaveBeenCalled();
});
