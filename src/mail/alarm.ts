// One alarm for many due times: it wakes at the next one, notices a clock that jumped, and costs nothing while nothing is due.

// A timer counts the time that the machine was awake, not the time of day: while a laptop sleeps, or after its clock was set,
// a due time may pass unnoticed. So the wall clock is looked at this often while anything is to come.
export const LONGEST_LOOK_MS = 30_000;
// Before what is still due after it fired is fired again: for more than one round could take, or after a failure.
const REST_MS = 50;
const FAILED_REST_MS = 1000;

// What a test puts in place of the clockwork of the process.
export interface Clockwork {
  set(wake: () => void, ms: number): unknown;
  clear(handle: unknown): void;
}

export interface AlarmDeps {
  clock: () => number;
  // The next due time, or null for none; read anew whenever something may have changed.
  next: () => number | null;
  // Does all that is due; whatever it leaves due is fired again.
  fire: () => Promise<void> | void;
  log: (message: string, details: Record<string, unknown>) => void;
  clockwork?: Clockwork | undefined;
}

// Pure: how long to sleep before the clock is looked at again; undefined: until somebody says that something has changed.
export const sleepOf = (next: number | null, now: number): number | undefined =>
  next === null ? undefined : Math.min(Math.max(0, next - now), LONGEST_LOOK_MS);

const CLOCKWORK: Clockwork = {
  set: (wake, ms) => setTimeout(wake, ms).unref(),
  clear: (handle) => clearTimeout(handle as NodeJS.Timeout),
};

export class Alarm {
  readonly #deps: AlarmDeps;
  readonly #clockwork: Clockwork;
  #handle: unknown;
  #firing: Promise<void> | undefined;
  #disposed = false;

  constructor(deps: AlarmDeps) {
    this.#deps = deps;
    this.#clockwork = deps.clockwork ?? CLOCKWORK;
  }

  // A due time was added, moved or taken away: sets itself anew.
  look(): void {
    // Looks for itself once it has fired.
    if (!this.#firing) this.#arm(0);
  }

  // Fires no more, and resolves once what it began is done.
  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#still();
    await this.#firing;
  }

  #arm(least: number): void {
    this.#still();
    if (this.#disposed) return;
    const { next, clock } = this.#deps;
    const ms = sleepOf(next(), clock());
    if (ms === undefined) return;
    this.#handle = this.#clockwork.set(() => this.#wake(), Math.max(least, ms));
  }

  #wake(): void {
    this.#handle = undefined;
    const { next, clock } = this.#deps;
    const at = next();
    if (at === null || at > clock()) this.#arm(0);
    else this.#firing = this.#fire();
  }

  async #fire(): Promise<void> {
    let rest = REST_MS;
    try {
      await this.#deps.fire();
    } catch (error) {
      rest = FAILED_REST_MS;
      this.#deps.log('alarm failed', { error: (error as Error).stack ?? String(error) });
    }
    this.#firing = undefined;
    this.#arm(this.#isDue() ? rest : 0);
  }

  #isDue(): boolean {
    const at = this.#deps.next();
    return at !== null && at <= this.#deps.clock();
  }

  #still(): void {
    if (this.#handle !== undefined) this.#clockwork.clear(this.#handle);
    this.#handle = undefined;
  }
}
