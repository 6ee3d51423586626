// What of this machine the daemon depends on, looked at for the doctor: nothing is changed.
import type { Profiles } from '../agents/index.js';
import type { Home } from '../api/locate.js';
import type { Exposure } from '../api/types.js';
import type { Config, Webhook } from '../mail/index.js';
import { actionsOf, type Inference } from '../signals/index.js';
import type { SignalUses, Store } from '../store/index.js';
import { type ClockReading, checkClock, readClock } from './check-clock.js';
import { checkExposure } from './check-exposure.js';
import { checkDisk, checkFiles, checkSocket } from './check-files.js';
import { checkHooks } from './check-hooks.js';
import { checkInference } from './check-inference.js';
import { checkSignalActions } from './check-signal-actions.js';
import type { Checked } from './finding.js';
import { hookPlans } from './hook-plans.js';

export interface HomeCheck {
  home: Home;
  url: string;
  env: NodeJS.ProcessEnv;
  config: Config;
  clock: () => number;
  started: ClockReading;
  store: Store;
  profiles: Profiles;
  // The folder of our scripts.
  hooks: string;
  uses: SignalUses;
  inference: Pick<Inference, 'failure' | 'spent'>;
  exposure: Exposure;
}

export function checkHome(deps: HomeCheck): Checked[] {
  const { home, url, env, config, clock, started, store, profiles, hooks, uses, inference } = deps;
  const files = {
    home: home.folder,
    socket: home.socket,
    config: home.config,
    hasSecrets: hooksOf(config).some(({ secret }) => secret !== undefined),
    uid: process.getuid?.(),
  };
  const newest = store.read.prepare('SELECT at FROM message_events ORDER BY seq DESC LIMIT 1').pluck().get();
  const sqlite = store.read.prepare('SELECT sqlite_version()').pluck().get();
  return [
    checkFiles(files),
    checkSocket(files, url),
    checkDisk(home.folder),
    checkClock(started, readClock(clock), newest as number | undefined),
    checkHooks(hookPlans({ profiles, home: home.folder, hooks }, given(env))),
    checkInference(config, inference),
    checkExposure(config, deps.exposure),
    checkSignalActions({ table: uses, actions: actionsOf(config), now: clock() }),
    {
      about: 'versions',
      detail: `node ${process.version}, SQLite ${String(sqlite)}, ${process.platform}`,
      findings: [],
    },
  ];
}

const hooksOf = ({ webhooks, signalActions }: Config): Webhook[] => [
  ...webhooks,
  ...signalActions.flatMap(({ effect }) => (effect.kind === 'webhook' ? [effect.hook] : [])),
];

const given = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])));
