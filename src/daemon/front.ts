// What asks for something gets in here: the API and the page over HTTP and the socket, the feed and terminals over WebSocket.
import { fileURLToPath } from 'node:url';
import type { Profiles } from '../agents/index.js';
import type { Home } from '../api/locate.js';
import { type Clerk, type DraftDesk, type People, type PostOffice, waysOf } from '../mail/index.js';
import type { Hosts, Registry, Servers } from '../sessions/index.js';
import type { Inference, SignalDesk, Uses } from '../signals/index.js';
import { History, metaStep, type Store } from '../store/index.js';
import { AgentFilesSeen, type AgentsRead } from './agent-files.js';
import { createApp } from './app.js';
import { doorkeeper } from './auth.js';
import type { ClockReading } from './check-clock.js';
import { checkHome } from './check-home.js';
import { type FileIdentity, tryDatabase } from './database-check.js';
import { Gateway, isLoopback } from './exposure.js';
import type { Feed } from './feed.js';
import { FeedSockets } from './feed-sockets.js';
import { tryHold } from './hold-trial.js';
import { readToken, writePrivate } from './home.js';
import { listen, type Upgrades } from './listen.js';
import type { LiveConfig } from './live-config.js';
import type { Metrics } from './metrics.js';
import { presentDoor } from './present.js';
import { isSecret } from './secrets.js';
import { SignIns } from './sign-ins.js';
import type { SignalSide } from './signal-side.js';
import { SignedInSockets } from './signed-in-sockets.js';
import { TerminalSockets } from './terminal-sockets.js';
import { presentWays } from './ways.js';

export interface FrontDeps {
  home: Home;
  env: NodeJS.ProcessEnv;
  live: LiveConfig;
  profiles: Profiles;
  // The person's own profiles, as they were read.
  agents: AgentsRead;
  hooks: string;
  store: Store;
  // The database file, and the clock, as they were when it was opened.
  opened: FileIdentity | undefined;
  started: ClockReading;
  version: string;
  port: number | undefined;
  servers: Servers;
  hosts: Hosts;
  registry: Registry;
  swapFolder: (session: string) => string;
  office: PostOffice;
  desk: DraftDesk;
  people: People;
  clerk: Clerk;
  signals: SignalDesk;
  heard: SignalSide;
  uses: Uses;
  inference: Inference;
  metrics: Metrics;
  feed: Feed;
  clock: () => number;
  log: (message: string, details: Record<string, unknown>) => void;
  isStopping: () => boolean;
  leave: () => void;
}

export interface Front {
  url: string;
  // Nobody looks at a pane any more, and all have their own size: before panes can no longer be reached.
  endViewers: () => Promise<void>;
  close: () => Promise<void>;
}

export async function openFront(deps: FrontDeps): Promise<Front> {
  const { home, env, live, profiles, agents, hooks, store, opened, started, version, port } = deps;
  const { servers, hosts, registry, swapFolder, office, desk, people, clerk } = deps;
  const { signals, heard, uses, inference, metrics, feed, clock, log, leave } = deps;
  const { config } = live;
  const tmuxVersion = (): Promise<string> =>
    servers
      .at(servers.pathOf())
      .fork(['-V'])
      .catch(() => 'not found');
  let url = '';
  const token = readToken(home.token);
  const signIns = new SignIns(store, clock);
  const admit = doorkeeper(token, {
    holds: (secret) => signIns.holds(secret),
    names: () => config.dashboardNames,
  });
  const gateway = new Gateway({
    signIns,
    open: (host) => listening.open(host),
    shut: (host) => listening.shut(host),
    port: () => listening.port,
    log,
  });
  const app = createApp({
    home,
    ops: {
      profiles,
      home: home.folder,
      hooks,
      registry,
      office,
      history: new History(store),
      openDrafts: () => desk.drafts.countOpen(),
      stop: leave,
      database: home.database,
    },
    agents: { profiles, home: home.folder, hooks },
    admit,
    signIn: { signIns, gateway, isToken: isSecret(token), clock },
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
    agentFiles: new AgentFilesSeen(agents),
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
          hooks,
          uses: uses.table,
          inference,
          exposure: gateway.exposure,
        }),
      missingDrafts: ({ id }) => desk.missing(id),
      nearMisses: ({ id }) => heard.misses.of(id),
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
    isStopping: deps.isStopping,
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
  return { url, endViewers: () => terminals.end(), close: () => listening.close() };
}
