// Until when the daemon before this one listened: what is found at the start was said after that, or had been heard.
import { metaStep, readMeta, type Store } from '../store/index.js';

export interface ListeningDeps {
  store: Store;
  clock: () => number;
  log: (message: string, details: Record<string, unknown>) => void;
}

const KEY = 'listened_until';
// A daemon that is killed is thought to have listened so much shorter at most.
const EVERY_MS = 60_000;

export class Listening {
  // 0 where nobody knows.
  readonly until: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(readonly deps: ListeningDeps) {
    this.until = Number(readMeta(deps.store.read, KEY) ?? 0);
  }

  // All that was said before has been found by the time it is written first.
  start(): void {
    this.#timer = setInterval(() => void this.#write(), EVERY_MS).unref();
  }

  // Resolves once it is on disk.
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#write();
  }

  async #write(): Promise<void> {
    const { store, clock, log } = this.deps;
    await store
      .write([metaStep(KEY, String(clock()))])
      .catch((error: unknown) => log('time of listening not saved', { error: String(error) }));
  }
}
