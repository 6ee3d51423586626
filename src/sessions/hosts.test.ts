// A host that is removed is gone at once, and no session is taken in on it any more.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Profiles } from '../agents/index.js';
import { Store } from '../store/index.js';
import { Hosts } from './hosts.js';
import { Registry, type RegistryDeps } from './registry.js';
import { Servers } from './servers.js';
import { blankRow } from './session.js';

const OPTIONS = { writerThread: new URL('../../dist/store/writer-thread.js', import.meta.url) };

let folder: string;
let store: Store;
let hosts: Hosts;
let registry: Registry;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smh-'));
  store = Store.open(path.join(folder, 'test.db'), OPTIONS);
  hosts = new Hosts({
    store,
    env: process.env,
    folder: path.join(folder, 'ssh'),
    mark: 'sm-000000000000',
    clock: () => 5000,
    chance: () => 0,
    log: () => {},
  });
  const finder = {
    find: (name: string) => hosts.find(name)?.ssh,
    get: (name: string) => hosts.get(name).ssh,
  };
  const servers = new Servers('tmux', process.env, finder);
  const deps: Partial<RegistryDeps> = { store, servers, profiles: {} as Profiles, clock: () => 5000 };
  registry = new Registry(deps as RegistryDeps);
});
afterEach(async () => {
  hosts.dispose();
  await store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

test('a session that comes while its host is being removed is refused', async () => {
  await hosts.add('box', 'far');
  const row = { ...blankRow('s', 0), name: 's', socket: 'ssh://box/tmp/socket' };
  const removing = hosts.remove('box');
  await expect(registry.insert(row)).rejects.toThrow(/no such host: box/);
  await removing;
  expect(registry.list()).toEqual([]);
  await hosts.add('box', 'far');
  await registry.insert(row);
  expect(registry.list()).toHaveLength(1);
});

test('a host that is no more is told of as one that is not reached', async () => {
  expect(registry.deps.servers.hostState('box')).toMatchObject({
    kind: 'down',
    reason: 'there is no such host',
  });
  await hosts.add('box', 'far');
  expect(registry.deps.servers.hostState('box')).toEqual({ kind: 'idle' });
});
