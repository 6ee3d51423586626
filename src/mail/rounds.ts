// Runs a courier's steps: one at a time, at once when woken, soon after something happened, and again when a step asks for it.
import { setTimeout as delay } from 'node:timers/promises';
import { Unmet } from '../store/index.js';
import type { Next } from './delivery.js';
import { LOOK_INTERVAL_MS } from './gate.js';

// Twice this long is waited for an attempt when everything ends.
const RETIRE_MS = 4000;
// After an unexpected failure.
const ERROR_RETRY_MS = 1000;

export interface RoundsDeps {
  clock: () => number;
  // What waits for something that nothing tells of is looked at again after this long.
  pollMs: () => number;
  // `idle`: nothing waits, so that output of the pane means nothing.
  step: () => Promise<Next | 'idle'>;
  failed: (error: unknown) => void;
}

export class Rounds {
  #running = false;
  #again = false;
  #idle = false;
  #timer: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #lastRun = 0;
  #abort = new AbortController();
  #disposed = false;
  #current: Promise<void> = Promise.resolve();

  constructor(readonly deps: RoundsDeps) {}

  // Of the attempt that is under way.
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  // A message was added, resumed or cancelled: look at once.
  wake(): void {
    this.#idle = false;
    this.#schedule(0);
  }

  // Something happened in the pane: look soon, if anything waits.
  stir(): void {
    if (!this.#idle) this.#schedule(this.#lastRun + LOOK_INTERVAL_MS - this.deps.clock());
  }

  // Lets go of the attempt that is under way; what is proved about it stays recorded.
  interrupt(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.wake();
  }

  // Begins nothing more, and resolves once what is under way has come to its end; a person's draft may be out of its box.
  async retire(): Promise<void> {
    this.#disposed = true;
    clearTimeout(this.#poll);
    clearTimeout(this.#timer);
    await Promise.race([this.#current, delay(RETIRE_MS, undefined, { ref: false })]);
    this.#abort.abort();
    await Promise.race([this.#current, delay(RETIRE_MS, undefined, { ref: false })]);
  }

  // As `retire`, but what is under way is let go of at once.
  async dispose(): Promise<void> {
    this.#disposed = true;
    clearTimeout(this.#poll);
    clearTimeout(this.#timer);
    this.#abort.abort();
    await this.#current;
  }

  #schedule(ms: number): void {
    if (this.#disposed) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    if (ms <= 0) {
      clearTimeout(this.#timer);
      this.#fire();
    } else this.#timer ??= setTimeout(() => this.#fire(), ms);
  }

  #fire(): void {
    clearTimeout(this.#poll);
    this.#timer = undefined;
    this.#current = this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    let retryAt: number | undefined;
    try {
      do {
        this.#again = false;
        const step = await this.deps.step();
        this.#idle = step === 'idle';
        if (step === 'next') this.#again = true;
        else if (step !== 'idle') retryAt = step.retryAt;
        if (step !== 'next') break;
      } while (!this.#disposed);
    } catch (error) {
      if (error instanceof Unmet) this.#again = true;
      else {
        this.deps.failed(error);
        retryAt = this.deps.clock() + ERROR_RETRY_MS;
      }
    } finally {
      this.#running = false;
      this.#lastRun = this.deps.clock();
    }
    if (this.#again) this.#schedule(LOOK_INTERVAL_MS);
    else if (retryAt !== undefined) this.#rearm(Math.min(retryAt, this.deps.clock() + this.deps.pollMs()));
    else if (!this.#idle && !this.#disposed)
      this.#poll = setTimeout(() => this.#schedule(0), this.deps.pollMs()).unref();
  }

  #rearm(at: number): void {
    if (this.#disposed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fire(), Math.max(1, at - this.deps.clock()));
  }
}
