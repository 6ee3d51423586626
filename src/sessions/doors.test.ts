// A door is opened only for a session that is still there, and for the process that runs now; whoever waits for it is told.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Emitter } from '../tmux/index.js';
import { DoorFolders } from './door-folders.js';
import { Doors } from './doors.js';
import type { Registry } from './registry.js';
import type { Session } from './session.js';

const happened = new Emitter<{ type: string; session: Session }>();
const open = vi.fn(() => ({ onEvent: () => {}, dispose: () => {} }));
const stir = vi.fn();
let folder: string;
let session: Session;
let doors: Doors;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-doors-'));
  vi.clearAllMocks();
  session = {
    id: 's',
    name: 's',
    row: { epoch: 1, state: 'live', server: '1:2', pane: '%1', cwd: '/', origin: 'adopted' },
    program: { pid: process.pid, started: '', argv: ['agent'] },
    profile: { name: 'agent', packages: [], door: { open } },
    doorFacts: {},
  } as unknown as Session;
  const registry = { onEvent: happened.event, list: () => [session], stir };
  doors = new Doors({
    registry: registry as unknown as Registry,
    folders: new DoorFolders(folder),
    isOn: true,
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
