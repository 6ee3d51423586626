// Has somebody look again after a time, and knows whether the agent could have done anything in that time.
import type { Disposable } from '../../tmux/index.js';
import { isStopped } from './running.js';

// A timer does not run while the machine sleeps: this much too late, nothing else ran either.
const LATE_MS = 5000;

export class Patience implements Disposable {
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #awakeSince = 0;
  #wasStopped = false;

  constructor(
    readonly pid: number,
    readonly clock: () => number,
    readonly onTime: () => void,
  ) {}

  // The earliest time that was asked for; whoever still waits then asks again.
  lookAgain(ms: number): void {
    const now = this.clock();
    if (now <= this.#dueAt && this.#dueAt <= now + ms) return;
    this.dispose();
    this.#dueAt = now + ms;
    this.#timer = setTimeout(() => {
      this.#noteLate();
      this.dispose();
      this.onTime();
    }, ms + 1).unref();
  }

  // Since when the agent could act for certain; undefined while it is stopped.
  awakeSince(): number | undefined {
    this.#noteLate();
    const wasStopped = this.#wasStopped;
    this.#wasStopped = isStopped(this.pid);
    if (this.#wasStopped) return undefined;
    if (wasStopped) this.#awakeSince = this.clock();
    return this.#awakeSince;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#dueAt = Number.POSITIVE_INFINITY;
  }

  #noteLate(): void {
    const now = this.clock();
    if (now <= this.#dueAt + LATE_MS) return;
    this.#awakeSince = now;
    this.dispose();
  }
}
