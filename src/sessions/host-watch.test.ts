// Sessions of a machine that was lost are found again as they are now, and nobody else's keys or panes are taken for ours.
import fs from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Box } from '../../test/support/box.js';
import { TestTmux, until } from '../../test/support/tmux.js';
import type { Profiles } from '../agents/index.js';
import { Person } from '../cli/demo/person.js';
import { isTouched } from '../composer/index.js';
import { Store } from '../store/index.js';
import { Emitter, HostDown, type HostState } from '../tmux/index.js';
import { follow, passOverOurs } from './following.js';
import { HostWatch } from './host-watch.js';
import type { Hosts } from './hosts.js';
import { takeSnapshot } from './panes.js';
import { LOCAL_PROCESSES } from './processes.js';
import { Registry, type RegistryDeps } from './registry.js';
import { formatAddress, parseAddress } from './server-address.js';
import { Servers } from './servers.js';
import { blankRow, type Session } from './session.js';
import { startSession } from './start.js';

const OPTIONS = { writerThread: new URL('../../dist/store/writer-thread.js', import.meta.url) };
const UP: HostState = { kind: 'up', tries: 0, since: 0 };
const DOWN: HostState = { kind: 'down', problem: 'lost', reason: 'it was cut', tries: 1, retryAt: 0 };

let tmux: TestTmux;
let store: Store;
let registry: Registry;
let box: Box;
let watch: HostWatch;
let hosts: Pick<Hosts, 'prepare' | 'isNeeded' | 'onState' | 'find'>;
const states = new Emitter<{ name: string; state: HostState }>();
beforeEach(() => {
  tmux = new TestTmux();
  store = Store.open(tmux.file('test.db'), OPTIONS);
  box = new Box();
  const deps: Partial<RegistryDeps> = {
    store,
    profiles: { find: () => undefined, recognise: () => undefined } as unknown as Profiles,
    servers: new Servers('tmux', process.env, { find: () => box.ssh, get: () => box.ssh }),
    clock: Date.now,
    newId: () => 'started',
    prepareFar: (_session, command) => command,
    log: () => {},
  };
  registry = new Registry(deps as RegistryDeps);
  hosts = { prepare: async () => {}, isNeeded: () => true, onState: states.event, find: () => undefined };
  watch = new HostWatch(registry, hosts as Hosts);
});
afterEach(async () => {
  watch.dispose();
  await registry.dispose();
  await registry.deps.servers.settled();
  await store.close();
  tmux.dispose();
});

// What runs in a pane of its own there, as a session that is followed and whose box is known to be empty.
async function sessionOf(...command: string[]): Promise<Session> {
  const made = tmux.run(
    'new-session',
    '-d',
    '-P',
    '-F',
    '#{session_id} #{pane_id} #{socket_path}',
    ...command,
  );
  const [tmuxSession = '', pane = '', socketPath = ''] = made.split(' ');
  const socket = formatAddress({ host: 'box', path: socketPath });
  const { identity = '' } = await takeSnapshot(registry.deps.servers.at(socket));
  const panePid = Number(tmux.run('display-message', '-p', '-t', pane, '#{pane_pid}'));
  const program = await until(() => LOCAL_PROCESSES.foregroundOf(panePid), 'its program');
  const session = await registry.insert({
    ...blankRow(pane, 0),
    name: pane,
    state: 'live',
    socket,
    server: identity,
    tmux_session: tmuxSession,
    pane,
    program: JSON.stringify(program),
  });
  await follow(registry, session);
  const { sessionActivity: activityAt } = await viewOf(session);
  registry.composerStep(session, { ...session.composer, activityAt });
  return session;
}

const viewOf = async ({ tracker }: Session) => {
  if (!tracker) throw new Error('it is not followed');
  await tracker.pane.link.ready();
  return tracker.pane.view();
};

const isUntouched = async (session: Session): Promise<boolean> => {
  const view = await viewOf(session);
  return !isTouched(view, session.composer, session.tracker?.server.ownClientPids ?? new Set());
};

async function cut(): Promise<void> {
  await box.cut();
  states.fire({ name: 'box', state: DOWN });
}

async function prepare(): Promise<void> {
  await hosts.prepare(box.ssh);
}

function up(clients: 'come' | 'wait' = 'come'): void {
  box.restore(clients);
  states.fire({ name: 'box', state: UP });
}

test('a session is found again, and that we came back is no key of a person', async () => {
  const session = await sessionOf('cat');
  const { tracker } = session;
  await cut();
  await nextSecond();
  await prepare();
  up();
  await until(() => isUntouched(session), 'our attaching to be passed over');
  expect(session).toMatchObject({ tracker, row: { state: 'live', epoch: 1 } });
});

test('panes of a server that was replaced meanwhile are not its own, whatever their ids', async () => {
  const session = await sessionOf('cat');
  const { link } = session.tracker?.pane ?? {};
  const kinds: string[] = [];
  link?.onState(({ kind }) => kinds.push(kind));
  await cut();
  tmux.run('kill-server');
  await until(() => !tmux.isRunning, 'the server to end');
  const other = tmux.run('new-session', '-d', '-P', '-F', '#{session_id} #{pane_id}', 'cat');
  expect(other).toBe(`${session.row.tmux_session} ${session.row.pane}`);
  await prepare();
  up();
  await until(() => session.row.state === 'gone', 'it to be gone');
  expect(session.row.state_reason).toBe('its tmux server has ended');
  expect(kinds).not.toContain('up');
});

test('keys of a person who types while we come back are theirs', async () => {
  const session = await sessionOf('cat');
  await cut();
  await nextSecond();
  await prepare();
  await nextSecond();
  const person = await Person.attach(tmux.server.socketArgs, session.row.tmux_session);
  await person.type('x');
  await nextSecond();
  up();
  await viewOf(session);
  await settled(session);
  expect(await isUntouched(session)).toBe(false);
  await person.leave();
});

test('keys of a person who has typed and left between two connections are theirs', async () => {
  const session = await sessionOf('cat');
  await cut();
  await prepare();
  // It is up for a moment, and its clients do not get there.
  up('wait');
  await cut();
  await nextSecond();
  const person = await Person.attach(tmux.server.socketArgs, session.row.tmux_session);
  await person.type('x');
  await person.leave();
  await nextSecond();
  await prepare();
  up();
  await viewOf(session);
  await settled(session);
  expect(await isUntouched(session)).toBe(false);
});

test('keys that came after our attaching are not passed over with it', async () => {
  const session = await sessionOf('cat');
  const { tracker } = session;
  if (!tracker) throw new Error('it is not followed');
  await nextSecond();
  await nextSecond();
  const person = await Person.attach(tmux.server.socketArgs, session.row.tmux_session);
  await person.type('x');
  await person.leave();
  await until(() => clients().length === 1, 'them to have left');
  await settled(session);
  await passOverOurs(registry, session, tracker, 0);
  expect(await isUntouched(session)).toBe(false);
});

test('one whose client ended while it was being followed is not gone, and is followed again', async () => {
  const session = await sessionOf('cat');
  const { tracker, row } = session;
  tracker?.dispose();
  session.tracker = undefined;
  await registry.deps.servers.settled();
  const states: string[] = [];
  registry.onEvent(() => states.push(session.row.state));
  const lease = registry.deps.servers.at(row.socket).lease(row.tmux_session);
  const ended = lease.link.onState(({ kind }) => kind === 'up' && box.endClients());
  await follow(registry, session);
  ended.dispose();
  const answers = () => session.tracker?.pane.view().catch(() => undefined);
  await until(answers, 'it to be followed again');
  expect(states).not.toContain('gone');
  lease.dispose();
});

test('one that is removed while it is being followed leaves no client behind', async () => {
  const session = await sessionOf('cat');
  session.tracker?.dispose();
  session.tracker = undefined;
  box.shut();
  const following = follow(registry, session);
  await until(() => box.awaited === 1, 'its client to wait');
  await registry.remove(session, [], { keepPane: true });
  box.restore();
  await following;
  expect(session.tracker).toBeUndefined();
  await registry.deps.servers.settled();
  expect(clients()).toEqual([]);
});

test('one that is being followed when its machine is lost is left as it is until that is back', async () => {
  const session = await sessionOf('cat');
  session.tracker?.dispose();
  session.tracker = undefined;
  box.shut();
  const following = follow(registry, session);
  const made = vi.spyOn(box, 'open');
  await until(() => box.awaited === 1, 'its client to wait');
  await cut();
  await following;
  box.restore();
  await registry.deps.servers.settled();
  expect(session).toMatchObject({ tracker: undefined, row: { state: 'live' } });
  expect(made).not.toHaveBeenCalled();
});

test('a start whose machine is lost before its client is there fails, and nothing runs later', async () => {
  const { row } = await sessionOf('cat');
  const file = tmux.file('ran');
  box.shut();
  const starting = start(row.socket, ['touch', file]);
  const refused = expect(starting).rejects.toThrow(/host box is down: it was cut/);
  await until(() => box.awaited === 1, 'its client to wait');
  await cut();
  await refused;
  expect(panes()).toEqual([row.pane]);
  expect(registry.list().map(({ id }) => id)).toEqual([row.id]);
  box.restore();
  await registry.deps.servers.settled();
  expect(fs.existsSync(file)).toBe(false);
});

test('what is removed while it is being started never runs', async () => {
  const { row } = await sessionOf('cat');
  const file = tmux.file('ran');
  box.shut();
  const starting = start(row.socket, ['touch', file]);
  const refused = expect(starting).rejects.toThrow(/touch was removed while it was being started/);
  await until(() => box.awaited === 1, 'its client to wait');
  await registry.remove(registry.resolve('touch'), [], { keepPane: true });
  box.restore();
  await refused;
  expect(panes()).toEqual([row.pane]);
  expect(fs.existsSync(file)).toBe(false);
});

test('a pane is ended also while there is no client of ours, and one of another server never', async () => {
  const stays = await sessionOf('cat');
  const ends = await sessionOf('cat');
  await cut();
  await registry.remove(ends, [], { keepPane: false });
  expect(panes()).toEqual([stays.row.pane]);
  stays.row = { ...stays.row, server: '1:1' };
  await registry.remove(stays, [], { keepPane: false });
  expect(panes()).toEqual([stays.row.pane]);
});

test('a pane that could not be ended is told of', async () => {
  const session = await sessionOf('cat');
  const removed: string[] = [];
  registry.onEvent(({ type }) => removed.push(type));
  await cut();
  vi.spyOn(box, 'run').mockRejectedValue(new HostDown('box', 'it was cut', 'list-panes'));
  const ending = registry.remove(session, [], { keepPane: false });
  await expect(ending).rejects.toThrow(
    /is forgotten, but host box was lost before its pane %0 could be ended/,
  );
  expect(registry.list()).toEqual([]);
  expect(removed).toContain('removed');
});

const start = (socket: string, command: string[]): Promise<Session> =>
  startSession(registry, {
    host: 'box',
    socket: parseAddress(socket).path,
    command,
    cwd: tmux.folder,
    env: {},
    width: 80,
    height: 24,
  });
const lines = (text: string): string[] => text.split('\n').filter(Boolean);
const clients = (): string[] => lines(tmux.run('list-clients', '-F', '#{client_name}'));
const panes = (): string[] => lines(tmux.run('list-panes', '-a', '-F', '#{pane_id}'));

// tmux tells times in whole seconds.
async function nextSecond(): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  await until(() => Math.floor(Date.now() / 1000) > now, 'the next second');
}

// All that is done about it once its link is up has been done: the link answers in order, and so does the disk.
async function settled(session: Session): Promise<void> {
  for (let i = 0; i < 3; i++) await viewOf(session);
  await store.write([]);
}
