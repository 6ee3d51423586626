// What a daemon stands on: its home, which no other has, and all that is read and opened there before anything runs.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { ignoredFiles, Profiles } from '../agents/index.js';
import { type Home, locateHome } from '../api/locate.js';
import { lockHome, metaStep, readMeta, Store } from '../store/index.js';
import { type AgentsRead, openAgentFiles } from './agent-files.js';
import { type ClockReading, readClock } from './check-clock.js';
import { type FileIdentity, identify } from './database-check.js';
import { prepareHome } from './home.js';
import { portFrom } from './listen.js';
import { LiveConfig } from './live-config.js';
import { openLog } from './log.js';
import { readVersion } from './version.js';

export interface Ground {
  outcome: 'ready';
  home: Home;
  lock: { release(): void };
  port: number | undefined;
  // The person's own profiles.
  agents: AgentsRead;
  profiles: Profiles;
  live: LiveConfig;
  log: (message: string, details: Record<string, unknown>) => void;
  clock: () => number;
  version: string;
  // The clock, and the database file, as they were then.
  started: ClockReading;
  opened: FileIdentity | undefined;
  store: Store;
  lease: string;
  mark: string;
}

export async function layGround(
  env: NodeJS.ProcessEnv,
): Promise<Ground | { outcome: 'running'; pid: number | null }> {
  const home = locateHome(env);
  prepareHome(home);
  const lock = lockHome(path.join(home.folder, 'lock'));
  if (!lock) return { outcome: 'running', pid: runningPid(home.info) };
  // Before anything is opened: a daemon that is told something it does not understand does nothing.
  const port = portFrom(env.SM_PORT);
  const agents = openAgentFiles(path.join(home.folder, 'agents'), path.join(home.folder, 'agents.good'));
  const profiles = new Profiles(agents.added);
  const live = LiveConfig.open({
    file: home.config,
    good: path.join(home.folder, 'config.good'),
    profiles,
  });
  const logger = openLog(home.log);
  const log = (message: string, details: Record<string, unknown>): void => logger.info(details, message);
  live.watch(log);
  if (agents.problem !== null)
    log('files of agents refused: the last good ones hold', { problem: agents.problem });
  else
    for (const file of ignoredFiles(agents.folder))
      log('not read: no name ending in .yaml or .yml', { file });
  const clock = Date.now;
  const version = readVersion();
  const started = readClock(clock);
  const store = Store.open(home.database);
  const opened = identify(home.database);
  // Written before anything is delivered: from here on the attempts of an earlier daemon are over.
  const lease = randomBytes(4).toString('hex');
  await store.write([metaStep('lease', lease)]);
  const mark = await ownMark(store);
  return {
    outcome: 'ready',
    home,
    lock,
    port,
    agents,
    profiles,
    live,
    log,
    clock,
    version,
    started,
    opened,
    store,
    lease,
    mark,
  };
}

// What our control clients on other machines are told by, also those of an earlier daemon of this home.
async function ownMark(store: Store): Promise<string> {
  const known = readMeta(store.read, 'mark');
  if (known !== undefined) return known;
  const mark = `sm-${randomBytes(6).toString('hex')}`;
  await store.write([metaStep('mark', mark)]);
  return mark;
}

function runningPid(info: string): number | null {
  try {
    return (JSON.parse(fs.readFileSync(info, 'utf8')) as { pid: number }).pid;
  } catch {
    return null;
  }
}
