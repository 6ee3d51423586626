// What OpenCode holds is asked for until it answers; what it says meanwhile is heard after that.
import type { Disposable } from '../../tmux/index.js';
import type { Event } from './wire.js';

// A server that listens and cannot be asked is just starting, or very busy.
const RETRY_MS = 1000;
const TRIES = 30;

export interface SyncListener {
  load(): Promise<void>;
  heard(event: Event): void;
  onLoaded(): void;
  // What it holds is not known, so nothing may be given to it.
  onFailed(error: unknown, then: 'tried again' | 'given up'): void;
}

export class Sync implements Disposable {
  #backlog: Event[] | undefined;
  #retry: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(readonly listener: SyncListener) {}

  hear(event: Event): void {
    if (this.#backlog) this.#backlog.push(event);
    else this.listener.heard(event);
  }

  async start(tries = TRIES): Promise<void> {
    const backlog: Event[] = [];
    this.#backlog = backlog;
    clearTimeout(this.#retry);
    let failure: unknown;
    try {
      await this.listener.load();
    } catch (error) {
      failure = error;
    }
    // Stopped, or started anew.
    if (this.#disposed || this.#backlog !== backlog) return;
    if (failure !== undefined) {
      this.#failed(failure, tries);
      return;
    }
    this.#backlog = undefined;
    for (const event of backlog) this.listener.heard(event);
    this.listener.onLoaded();
  }

  // The connection is broken.
  stop(): void {
    this.#backlog = undefined;
    clearTimeout(this.#retry);
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#retry);
  }

  // What it says until it is asked again is part of what it holds then.
  #failed(error: unknown, tries: number): void {
    if (tries === 0) {
      this.#backlog = undefined;
      this.listener.onFailed(error, 'given up');
      return;
    }
    this.listener.onFailed(error, 'tried again');
    this.#retry = setTimeout(() => void this.start(tries - 1), RETRY_MS);
    this.#retry.unref();
  }
}
