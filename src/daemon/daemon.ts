// The daemon as one graph, built once: store, sessions, mail, feed and servers; starting is recovering.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { locateHome } from '../api/locate.js';
import { PostOffice } from '../mail/index.js';
import { Registry, recoverSessions, Servers, startHeartbeat } from '../sessions/index.js';
import { lockHome, metaStep, Store } from '../store/index.js';
import { createApp } from './app.js';
import { Feed } from './feed.js';
import { prepareHome, readToken, writePrivate } from './home.js';
import { listen } from './listen.js';
import { openLog } from './log.js';
import { readVersion } from './version.js';

export type Started =
  | { outcome: 'started'; pid: number; url: string; stop: () => Promise<void>; stopped: Promise<void> }
  | { outcome: 'running'; pid: number | null };

export async function startDaemon(env: NodeJS.ProcessEnv): Promise<Started> {
  const home = locateHome(env);
  prepareHome(home);
  const lock = lockHome(path.join(home.folder, 'lock'));
  if (!lock) return { outcome: 'running', pid: runningPid(home.info) };
  const logger = openLog(home.log);
  const log = (message: string, details: Record<string, unknown>): void => logger.info(details, message);
  const clock = Date.now;
  const store = Store.open(home.database);
  // Written before anything is delivered: from here on the attempts of an earlier daemon are over.
  const lease = randomBytes(4).toString('hex');
  await store.write([metaStep('lease', lease)]);
  const servers = new Servers('tmux', env);
  const registry = new Registry({
    store,
    servers,
    clock,
    newId: () => randomBytes(4).toString('hex'),
    sessionEnv: (id, extra) => ({
      ...extra,
      PATH: `${home.bin}:${extra.PATH ?? env.PATH ?? ''}`,
      SM_SESSION: id,
      SM_HOME: home.folder,
    }),
    log,
  });
  const office = new PostOffice({
    store,
    registry,
    lease,
    clock,
    newMessageId: () => randomBytes(6).toString('hex'),
    log,
  });
  const feed = new Feed(lease, registry, office);
  let url = '';
  let ended = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    ended = resolve;
  });
  // Before anyone can ask for anything.
  await recoverSessions(registry);
  const heartbeat = startHeartbeat(registry);
  const app = createApp({
    home,
    token: readToken(home.token),
    version: readVersion(),
    registry,
    office,
    feed,
    startedAt: clock(),
    tmuxVersion: await servers
      .at(servers.pathOf())
      .fork(['-V'])
      .catch(() => 'not found'),
    url: () => url,
    stop: () => setImmediate(() => void stop()),
    log,
  });
  const listening = await listen(app, home.socket, env.SM_PORT ? Number(env.SM_PORT) : undefined);
  url = `http://127.0.0.1:${listening.port}`;
  writePrivate(home.info, `${JSON.stringify({ pid: process.pid, url, socket: home.socket })}\n`);
  office.recover();
  log('started', { home: home.folder, url, recovered: store.recovered, node: process.version });

  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopping ??= (async () => {
      log('stopping', {});
      heartbeat.dispose();
      office.dispose();
      await registry.dispose();
      await servers.settled();
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

function runningPid(info: string): number | null {
  try {
    return (JSON.parse(fs.readFileSync(info, 'utf8')) as { pid: number }).pid;
  } catch {
    return null;
  }
}
