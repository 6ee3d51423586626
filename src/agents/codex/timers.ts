// Timers by name: setting one again puts it off; none keeps the daemon alive, none outlives its owner.
import type { Disposable } from '../../tmux/index.js';

export class Timers implements Disposable {
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(readonly onError: (error: unknown) => void) {}

  set(name: string, ms: number, work: () => unknown): void {
    this.cancel(name);
    const run = async (): Promise<void> => {
      this.#timers.delete(name);
      await work();
    };
    const timer = setTimeout(() => void run().catch(this.onError), ms);
    timer.unref();
    this.#timers.set(name, timer);
  }

  cancel(name: string): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }

  dispose(): void {
    for (const name of [...this.#timers.keys()]) this.cancel(name);
  }
}
