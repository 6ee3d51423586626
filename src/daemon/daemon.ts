// The daemon as one graph, built once: store, sessions, mail, feed and servers; starting is recovering.
import { randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { ignoredFiles, Profiles, readUserProfiles } from '../agents/index.js';
import { type Home, homeVariables, locateHome } from '../api/locate.js';
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
import { lockHome, metaStep, readMeta, Store } from '../store/index.js';
import { HOLD_WATCH } from '../tmux/index.js';
import { farLauncher, launcher, prepareAgentSide } from './agent-side.js';
import { readClock } from './check-clock.js';
import { identify } from './database-check.js';
import { Feed } from './feed.js';
import { openFront } from './front.js';
import { prepareHome, sweepFolders } from './home.js';
import { portFrom } from './listen.js';
import { LiveConfig } from './live-config.js';
import { openLog } from './log.js';
import { Metrics } from './metrics.js';
import { countStates, queueDepths } from './overview.js';
import { tellPerson } from './person.js';
import { presentSignal } from './present-signal.js';
import { startRetention } from './retention.js';
import { Screens } from './screens.js';
import { sessionEnv } from './session-env.js';
import { SignalSide } from './signal-side.js';
import { makeInference, makeUses } from './signal-uses.js';
import { readVersion } from './version.js';

export type Started =
  | { outcome: 'started'; pid: number; url: string; stop: () => Promise<void>; stopped: Promise<void> }
  | { outcome: 'running'; pid: number | null };

export async function startDaemon(env: NodeJS.ProcessEnv): Promise<Started> {
  const home = locateHome(env);
  prepareHome(home);
  const lock = lockHome(path.join(home.folder, 'lock'));
  if (!lock) return { outcome: 'running', pid: runningPid(home.info) };
  // Before anything is opened: a daemon that is told something it does not understand does nothing.
  const port = portFrom(env.SM_PORT);
  const agentFolder = path.join(home.folder, 'agents');
  const added = readUserProfiles(agentFolder);
  const profiles = new Profiles(added);
  const live = LiveConfig.open({
    file: home.config,
    good: path.join(home.folder, 'config.good'),
    profiles,
  });
  const { config } = live;
  const logger = openLog(home.log);
  const log = (message: string, details: Record<string, unknown>): void => logger.info(details, message);
  live.watch(log);
  for (const file of ignoredFiles(agentFolder)) log('not read: no name ending in .yaml or .yml', { file });
  const clock = Date.now;
  const version = readVersion();
  const started = readClock(clock);
  const store = Store.open(home.database);
  const opened = identify(home.database);
  // Written before anything is delivered: from here on the attempts of an earlier daemon are over.
  const lease = randomBytes(4).toString('hex');
  await store.write([metaStep('lease', lease)]);
  const hosts = new Hosts({
    store,
    env,
    folder: path.join(home.folder, 'ssh'),
    mark: await ownMark(store),
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
      watch: {
        script: HOLD_WATCH,
        rescue: rescueCommand(home, env),
        tmux: findProgram('tmux', env.PATH ?? ''),
      },
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
  const front = await openFront({
    home,
    env,
    live,
    profiles,
    agents: { folder: agentFolder, added },
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
    leave: () => void setImmediate(() => void stop()),
  });
  office.recover();
  clerk.start();
  await uses.start(signals);
  inference.start();
  log('started', { home: home.folder, url: front.url, recovered: store.recovered, node: process.version });

  let stopping: Promise<void> | undefined;
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
  return { outcome: 'started', pid: process.pid, url: front.url, stop, stopped };
}

// What our control clients on other machines are told by, also those of an earlier daemon of this home.
async function ownMark(store: Store): Promise<string> {
  const known = readMeta(store.read, 'mark');
  if (known !== undefined) return known;
  const mark = `sm-${randomBytes(6).toString('hex')}`;
  await store.write([metaStep('mark', mark)]);
  return mark;
}

// Run by tmux, whose environment is not ours.
function rescueCommand(home: Home, env: NodeJS.ProcessEnv): string[] {
  const port = env.SM_PORT === undefined ? [] : [`SM_PORT=${env.SM_PORT}`];
  const where = Object.entries(homeVariables(home)).map(([name, value]) => `${name}=${value}`);
  return ['env', ...where, ...port, path.join(home.bin, 'sm'), 'up', '--replace'];
}

const findProgram = (name: string, searchPath: string): string =>
  searchPath
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find((file) => path.isAbsolute(file) && fs.existsSync(file)) ?? name;

function runningPid(info: string): number | null {
  try {
    return (JSON.parse(fs.readFileSync(info, 'utf8')) as { pid: number }).pid;
  } catch {
    return null;
  }
}
