// What is over is kept for a time that the configuration sets, then deleted: drafts, messages with their events, and removed
// sessions of which nothing is left. Never what is pending. Looked at when the daemon starts, once a day, and when the
// configuration changes.
import type { Config } from '../mail/index.js';
import {
  purgeDrafts,
  purgeInbox,
  purgeMessages,
  purgeSendKeys,
  purgeSessions,
  purgeSignals,
  purgeSignalUses,
  purgeTimers,
  type Step,
  type Store,
} from '../store/index.js';
import { type Disposable, disposable } from '../tmux/index.js';

const DAY_MS = 24 * 60 * 60 * 1000;
// One unit of writes: mail that comes in meanwhile does not wait for the rest.
const AT_ONCE = 500;

export interface RetentionDeps {
  store: Store;
  // Read at each look.
  config: Pick<Config, 'draftRetentionMs' | 'historyDays'>;
  clock: () => number;
  log: (message: string, details: Record<string, unknown>) => void;
}

export interface Retention extends Disposable {
  purge(): Promise<void>;
}

export async function startRetention(deps: RetentionDeps): Promise<Retention> {
  const { log } = deps;
  const look = (): Promise<void> =>
    purge(deps).catch((error: Error) => log('purge failed', { error: error.message }));
  await look();
  const daily = setInterval(() => void look(), DAY_MS);
  daily.unref();
  return { purge: look, ...disposable(() => clearInterval(daily)) };
}

async function purge({ store, config, clock, log }: RetentionDeps): Promise<void> {
  const forget = async (what: string, steps: readonly Step[]): Promise<number> => {
    // The last step deletes what is counted; those before it, what belongs to it.
    const count = (await store.write(steps)).at(-1)?.changes ?? 0;
    if (count > 0) log(`old ${what} forgotten`, { count });
    return count;
  };
  await forget('drafts', [purgeDrafts(clock() - config.draftRetentionMs)]);
  if (config.historyDays === 0) return;
  const before = clock() - config.historyDays * DAY_MS;
  while ((await forget('messages', purgeMessages(before, AT_ONCE))) === AT_ONCE);
  await forget('timers', [purgeTimers(before)]);
  await forget('mail to a person', [purgeInbox(before)]);
  await forget('keys', [purgeSendKeys(before)]);
  await forget('uses of signals', purgeSignalUses(before));
  while ((await forget('signals', purgeSignals(before, AT_ONCE))) === AT_ONCE);
  await forget('sessions', [purgeSessions(before)]);
}
