// What is kept of a session, and what ends with its process.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Profiles } from '../agents/index.js';
import { SessionTable, Store } from '../store/index.js';
import { Registry, type RegistryDeps } from './registry.js';
import { blankRow } from './session.js';

const OPTIONS = { writerThread: new URL('../../dist/store/writer-thread.js', import.meta.url) };

let folder: string;
let store: Store;
let registry: Registry;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sms-'));
  store = Store.open(path.join(folder, 'test.db'), OPTIONS);
  // What has to do with tmux is not here.
  const deps: Partial<RegistryDeps> = { store, profiles: {} as Profiles, clock: () => 5000, log: () => {} };
  registry = new Registry(deps as RegistryDeps);
});
afterEach(async () => {
  await store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

test.each(['ended', 'gone'] as const)('what an agent said of being busy ends with it: %s', async (state) => {
  const session = await registry.insert({ ...blankRow('s', 0), name: 's', state: 'live' });
  await registry.setBusy(session, 'the release');
  const onDisk = () => new SessionTable(store).present()[0];
  expect(onDisk()).toMatchObject({ busy_since: 5000, busy_reason: 'the release' });
  await registry.leave(session, state, 'its program has ended');
  const left = { state, busy_since: null, busy_reason: null };
  expect([session.row, onDisk()]).toEqual([expect.objectContaining(left), expect.objectContaining(left)]);
});
