// A machine for tests: its time of day, the time that it was awake, and what it was told to wake us for.
export class Machine {
  now = 1_000_000;
  awake = 0;
  #timers = new Map<number, { at: number; wake: () => void }>();
  #last = 0;

  readonly clock = (): number => this.now;
  readonly clockwork = {
    set: (wake: () => void, ms: number): unknown => {
      this.#timers.set(++this.#last, { at: this.awake + ms, wake });
      return this.#last;
    },
    clear: (handle: unknown): void => void this.#timers.delete(handle as number),
  };

  get pending(): number {
    return this.#timers.size;
  }

  // Time goes by while it is awake.
  async pass(ms: number): Promise<void> {
    const end = this.awake + ms;
    for (;;) {
      const first = [...this.#timers].sort(([, a], [, b]) => a.at - b.at)[0];
      const at = Math.min(first?.[1].at ?? end, end);
      this.now += at - this.awake;
      this.awake = at;
      if (!first || first[1].at > end) return;
      this.#timers.delete(first[0]);
      first[1].wake();
      await Promise.resolve();
      await Promise.resolve();
    }
  }

  // Its clock is set, or it sleeps: no timer counts that.
  jump(ms: number): void {
    this.now += ms;
  }
}
