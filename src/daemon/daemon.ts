// The daemon as one graph, built once: store, sessions, mail, feed and servers; starting is recovering.
import { randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Clerk, DesktopNotes, DraftDesk, faultFrom, Keeper, People, PostOffice } from '../mail/index.js';
import {
  Doors,
  Hosts,
  HostWatch,
  Registry,
  recoverSessions,
  Servers,
  startHeartbeat,
} from '../sessions/index.js';
import { SignalDesk } from '../signals/index.js';
import { Spool } from '../spool/index.js';
import { farLauncher, launcher, prepareAgentSide } from './agent-side.js';
import { Feed } from './feed.js';
import { openFront } from './front.js';
import { layGround } from './ground.js';
import { sweepFolders } from './home.js';
import { Metrics } from './metrics.js';
import { countStates, queueDepths } from './overview.js';
import { tellPerson } from './person.js';
import { presentSignal } from './present-signal.js';
import { startRetention } from './retention.js';
import { Screens } from './screens.js';
import { sessionEnv } from './session-env.js';
import { SignalSide } from './signal-side.js';
import { makeInference, makeUses } from './signal-uses.js';
import { watchdog } from './watchdog.js';

export type Started =
  | { outcome: 'started'; pid: number; url: string; stop: () => Promise<void>; stopped: Promise<void> }
  | { outcome: 'running'; pid: number | null };

export async function startDaemon(env: NodeJS.ProcessEnv): Promise<Started> {
  const ground = await layGround(env);
  if (ground.outcome === 'running') return ground;
  const { home, lock, port, agents, profiles, live, log, clock, version, started } = ground;
  const { store, opened, lease, mark } = ground;
  const { config } = live;
  const hosts = new Hosts({
    store,
    env,
    folder: path.join(home.folder, 'ssh'),
    mark,
    clock,
    chance: Math.random,
    log,
  });
  await hosts.endLeftBehind();
  const servers = new Servers('tmux', env, {
    find: (name) => hosts.find(name)?.ssh,
    get: (name) => hosts.get(name).ssh,
  });
  const swaps = path.join(home.folder, 'swap');
  const swapFolder = (session: string): string => path.join(swaps, session);
  const side = prepareAgentSide(home, profiles);
  const registry = new Registry({
    store,
    profiles,
    servers,
    clock,
    newId: () => randomBytes(4).toString('hex'),
    sessionEnv: sessionEnv({ home, env, swapFolder, signalsFile: (id) => heard.fileOf(id) }),
    prepareLaunch: launcher(home, side, config),
    prepareFar: farLauncher(config),
    beforeLaunch: (session, given) => {
      heard.prepare(session);
      return doors.expect(session, given);
    },
    log,
  });
  const hooksRead = (): Promise<void> => spool.drain();
  const doors = new Doors({
    registry,
    folders: side.doors,
    isOn: () => config.doors,
    hooksRead,
    clock,
    log,
  });
  const spool = new Spool({ folder: side.spool, take: (entry) => heard.take(entry), log });
  const fault = faultFrom(env);
  // The last part of a UUID is random, and Node has the next ones at hand.
  const newMessageId = (): string => randomUUID().slice(-12);
  const office = new PostOffice({
    store,
    registry,
    doors,
    lease,
    clock,
    newMessageId,
    config,
    keeper: new Keeper({
      watch: watchdog(home, env),
      fault,
      config,
      released: (heldMs) => metrics.keysHeld(heldMs),
      log,
    }),
    fault,
    swapFolder,
    log,
  });
  const desk = new DraftDesk({ store, registry, office, config, clock });
  const people = new People({ store, clock, newMessageId });
  const clerk = new Clerk(office, people);
  const notes = new DesktopNotes({ env, log });
  const telling = tellPerson({ people, config, notes, log });
  const uses = makeUses({ store, registry, office, clerk, notes, config, home, env, clock, log });
  const signals = new SignalDesk({ store, registry, config, clock, fault, follow: uses.follow });
  const inference = makeInference({ store, registry, config, home, env, clock, log, desk: signals });
  const metrics = new Metrics({
    version,
    startedAt: clock(),
    ledger: office.ledger,
    signals,
    queues: () => queueDepths(registry, office),
    sessions: () => countStates(registry),
    openDrafts: () => desk.drafts.countOpen(),
  });
  const heard = new SignalSide({
    home: home.folder,
    store,
    registry,
    doors,
    office,
    desk: signals,
    config,
    clock,
    log,
  });
  const feed = new Feed(lease, registry, office, desk, people, new Screens(registry), {
    onSignal: signals.onSignal,
    present: (signal) => presentSignal(signal, registry, config),
  });
  let ended = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    ended = resolve;
  });
  // Before the first signal can come.
  await uses.configured();
  live.onChange((keys) => {
    if (keys.includes('inference') || keys.includes('signal_fresh')) inference.configured();
    uses
      .configured()
      .catch((error: unknown) => log('actions for signals not read', { error: String(error) }));
  });
  // Before anyone can ask for anything.
  await recoverSessions(registry);
  const hostWatch = new HostWatch(registry, hosts);
  hostWatch.start();
  sweepFolders(swaps, new Set(registry.list().map(({ id }) => id)), log);
  await doors.openAll();
  await spool.start();
  await heard.start();
  const heartbeat = startHeartbeat(registry);
  const retention = await startRetention({ store, config, clock, log });
  let stopping: Promise<void> | undefined;
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const front = await openFront({
    home,
    env,
    live,
    profiles,
    agents,
    hooks: side.hooks,
    store,
    opened,
    started,
    version,
    port,
    servers,
    hosts,
    registry,
    swapFolder,
    office,
    desk,
    people,
    clerk,
    signals,
    heard,
    uses,
    inference,
    metrics,
    feed,
    clock,
    log,
    // Somebody may ask for it before all of it has started.
    isStopping: () => stopping !== undefined,
    leave: () => void begun.then(() => setImmediate(() => void stop())),
  });
  office.recover();
  clerk.start();
  await uses.start(signals);
  inference.start();
  log('started', { home: home.folder, url: front.url, recovered: store.recovered, node: process.version });

  const stop = (): Promise<void> => {
    stopping ??= (async () => {
      log('stopping', {});
      heartbeat.dispose();
      retention.dispose();
      await inference.dispose();
      await uses.dispose();
      await heard.stopListening();
      await clerk.dispose();
      live.dispose();
      telling.dispose();
      await office.dispose();
      spool.dispose();
      heard.dispose();
      doors.dispose();
      await front.endViewers();
      await registry.dispose();
      hostWatch.dispose();
      await servers.settled();
      hosts.dispose();
      await front.close();
      await store.close();
      fs.rmSync(home.socket, { force: true });
      fs.rmSync(home.info, { force: true });
      lock.release();
      ended();
    })();
    return stopping;
  };
  begin();
  return { outcome: 'started', pid: process.pid, url: front.url, stop, stopped };
}
