// The daemon as one graph, built once: store, sessions, mail, feed and servers; starting is recovering.
import { randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ignoredFiles, Profiles, readUserProfiles } from '../agents/index.js';
import { type Home, homeVariables, locateHome } from '../api/locate.js';
import {
  Clerk,
  DesktopNotes,
  DraftDesk,
  faultFrom,
  Keeper,
  People,
  PostOffice,
  waysOf,
} from '../mail/index.js';
import {
  Doors,
  Hosts,
  HostWatch,
  Registry,
  recoverSessions,
  Servers,
  startHeartbeat,
} from '../sessions/index.js';
import {
  AgentSignals,
  isLeftSignal,
  LeftSignals,
  Listening,
  NearMisses,
  SignalDesk,
  SignalFiles,
  Watches,
} from '../signals/index.js';
import { Spool } from '../spool/index.js';
import { History, lockHome, metaStep, readMeta, Store } from '../store/index.js';
import { HOLD_WATCH } from '../tmux/index.js';
import { lookAtAgentFiles } from './agent-files.js';
import { farLauncher, launcher, prepareAgentSide } from './agent-side.js';
import { createApp } from './app.js';
import { doorkeeper } from './auth.js';
import { readClock } from './check-clock.js';
import { checkHome } from './check-home.js';
import { identify, tryDatabase } from './database-check.js';
import { Gateway, isLoopback } from './exposure.js';
import { Feed } from './feed.js';
import { FeedSockets } from './feed-sockets.js';
import { tryHold } from './hold-trial.js';
import { prepareHome, readToken, sweepFolders, writePrivate } from './home.js';
import { listen, portFrom, type Upgrades } from './listen.js';
import { LiveConfig } from './live-config.js';
import { openLog } from './log.js';
import { Metrics } from './metrics.js';
import { countStates, queueDepths } from './overview.js';
import { tellPerson } from './person.js';
import { presentDoor } from './present.js';
import { presentSignal } from './present-signal.js';
import { startRetention } from './retention.js';
import { Screens } from './screens.js';
import { SignIns } from './sign-ins.js';
import { makeInference, makeUses } from './signal-uses.js';
import { SignedInSockets } from './signed-in-sockets.js';
import { TerminalSockets } from './terminal-sockets.js';
import { readVersion } from './version.js';
import { presentWays } from './ways.js';

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
  const shim = path.join(home.bin, 'sm-editor');
  const swaps = path.join(home.folder, 'swap');
  const swapFolder = (session: string): string => path.join(swaps, session);
  const side = prepareAgentSide(home, profiles);
  const registry = new Registry({
    store,
    profiles,
    servers,
    clock,
    newId: () => randomBytes(4).toString('hex'),
    sessionEnv: (id, extra) => ({
      ...extra,
      PATH: `${home.bin}:${extra.PATH ?? env.PATH ?? ''}`,
      SM_SESSION: id,
      ...homeVariables(home),
      SM_SWAP: swapFolder(id),
      SM_SIGNALS: signalFiles.fileOf(id),
      // The person's own editor stays behind ours.
      SM_EDITOR:
        [extra.VISUAL, extra.EDITOR, env.SM_EDITOR, env.VISUAL, env.EDITOR].find(
          (one) => one && one !== shim,
        ) ?? '',
      VISUAL: shim,
      EDITOR: shim,
      COPILOT_EDITOR: shim,
    }),
    prepareLaunch: launcher(home, side, config),
    prepareFar: farLauncher(config),
    beforeLaunch: (session, given) => {
      signalFiles.prepare(session);
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
  const spool = new Spool({
    folder: side.spool,
    take: async (entry) => {
      if (isLeftSignal(entry)) return leftSignals.take(entry);
      const taken = await doors.take(entry);
      if (taken === 'taken') await agentSignals.heard(entry);
      return taken;
    },
    log,
  });
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
  const misses = new NearMisses({ clock, log });
  const hearing = new Listening({ store, clock, log });
  const { until: listenedUntil } = hearing;
  const signalFiles = new SignalFiles({
    folder: path.join(home.folder, 'signals'),
    store,
    registry,
    desk: signals,
    misses,
    listenedUntil,
    clock,
    log,
  });
  const agentSignals = new AgentSignals({ registry, doors, desk: signals, config, log });
  const leftSignals = new LeftSignals({ registry, office, desk: signals, misses });
  const watches = new Watches({ store, registry, desk: signals, misses, listenedUntil, config, clock, log });
  const feed = new Feed(lease, registry, office, desk, people, new Screens(registry), {
    onSignal: signals.onSignal,
    present: (signal) => presentSignal(signal, registry, config),
  });
  let url = '';
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
  agentSignals.start();
  await signalFiles.start();
  // After what was left for us: that may say the same, with better times.
  watches.start();
  hearing.start();
  const heartbeat = startHeartbeat(registry);
  const retention = await startRetention({ store, config, clock, log });
  const tmuxVersion = (): Promise<string> =>
    servers
      .at(servers.pathOf())
      .fork(['-V'])
      .catch(() => 'not found');
  const leave = (): void => void setImmediate(() => void stop());
  const token = readToken(home.token);
  const signIns = new SignIns(store, clock);
  const admit = doorkeeper(token, {
    holds: (secret) => signIns.holds(secret),
    names: () => config.dashboardNames,
  });
  const gateway = new Gateway({
    signIns,
    open: (host) => listening.open(host),
    port: () => listening.port,
    log,
  });
  const app = createApp({
    home,
    ops: {
      profiles,
      home: home.folder,
      hooks: side.hooks,
      registry,
      office,
      history: new History(store),
      openDrafts: () => desk.drafts.countOpen(),
      stop: leave,
      database: home.database,
    },
    agents: { profiles, home: home.folder, hooks: side.hooks },
    admit,
    signIn: { signIns, gateway, token, clock },
    pages: fileURLToPath(new URL('../web', import.meta.url)),
    version,
    registry,
    hosts,
    office,
    people,
    config,
    signals,
    feed,
    metrics,
    startedAt: clock(),
    tmuxVersion: await tmuxVersion(),
    desk,
    reminders: clerk.reminders,
    live,
    port: () => ({ value: Number(new URL(url).port), from: port === undefined ? 'default' : 'environment' }),
    agentFiles: () => lookAtAgentFiles(agentFolder, added),
    doctor: {
      registry,
      version,
      home: home.folder,
      tmuxVersion,
      settings: config,
      sessionWays: async (session) => presentWays(await waysOf(session, { config, swapFolder, store })),
      doorOf: (session) => presentDoor(office.doorOf(session)),
      checks: () =>
        checkHome({
          home,
          url,
          env,
          config,
          clock,
          started,
          store,
          profiles,
          hooks: side.hooks,
          uses: uses.table,
          inference,
          exposure: gateway.exposure,
        }),
      missingDrafts: ({ id }) => desk.missing(id),
      nearMisses: ({ id }) => misses.of(id),
      orphanDrafts: () => desk.orphans(),
      tryHold: () => tryHold({ env }),
      tryDatabase: () =>
        tryDatabase({
          file: home.database,
          opened,
          write: () => store.write([metaStep('examined', String(clock()))]),
        }),
    },
    url: () => url,
    stop: leave,
    log,
  });
  const feeds = new FeedSockets({ admit, feed, log });
  const terminals = new TerminalSockets({ admit, registry, log });
  const upgrades: Upgrades = {
    upgrade: (via, request, socket, head) =>
      (terminals.takes(request) ? terminals : feeds).upgrade(via, request, socket, head),
    close: () => {
      terminals.close();
      feeds.close();
    },
  };
  const listening = await listen(app, new SignedInSockets(upgrades, signIns), home.socket, port);
  url = `http://127.0.0.1:${listening.port}`;
  writePrivate(home.info, `${JSON.stringify({ pid: process.pid, url, socket: home.socket })}\n`);
  // A daemon that must not be reached from there runs all the same.
  if (!isLoopback(config.listenHost))
    await gateway
      .open(config.listenHost, 'password')
      .catch((error: Error) => log('listen_host is not used', { problem: error.message }));
  office.recover();
  clerk.start();
  await uses.start(signals);
  inference.start();
  log('started', { home: home.folder, url, recovered: store.recovered, node: process.version });

  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopping ??= (async () => {
      log('stopping', {});
      heartbeat.dispose();
      retention.dispose();
      await inference.dispose();
      await uses.dispose();
      await hearing.stop();
      watches.dispose();
      await clerk.dispose();
      live.dispose();
      telling.dispose();
      await office.dispose();
      spool.dispose();
      signalFiles.dispose();
      agentSignals.dispose();
      doors.dispose();
      await registry.dispose();
      hostWatch.dispose();
      await servers.settled();
      hosts.dispose();
      await listening.close();
      await store.close();
      fs.rmSync(home.socket, { force: true });
      fs.rmSync(home.info, { force: true });
      lock.release();
      ended();
    })();
    return stopping;
  };
  return { outcome: 'started', pid: process.pid, url, stop, stopped };
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
