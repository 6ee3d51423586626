// Drafts are kept for a time that the configuration sets, then forgotten; looked at when the daemon starts and once a day.
import { purgeDrafts, type Store } from '../store/index.js';
import { type Disposable, disposable } from '../tmux/index.js';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface RetentionDeps {
  store: Store;
  draftRetentionMs: number;
  clock: () => number;
  log: (message: string, details: Record<string, unknown>) => void;
}

export async function startRetention({
  store,
  draftRetentionMs,
  clock,
  log,
}: RetentionDeps): Promise<Disposable> {
  const purge = async (): Promise<void> => {
    const [purged] = await store.write([purgeDrafts(clock() - draftRetentionMs)]);
    if (purged?.changes) log('old drafts forgotten', { count: purged.changes });
  };
  await purge();
  const daily = setInterval(
    () => void purge().catch((error: Error) => log('purge failed', { error: error.message })),
    DAY_MS,
  );
  daily.unref();
  return disposable(() => clearInterval(daily));
}
