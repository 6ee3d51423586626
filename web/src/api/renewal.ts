// A sign-in gets its successor from the daemon when it is asked for: at the start, and once a day while the page is open.
const DAY_MS = 86_400_000;
const LOOK_MS = 3_600_000;

export interface RenewalDeps {
  ask: () => Promise<unknown>;
  // Whether there is a sign-in to be renewed.
  isIn: () => boolean;
  now: () => number;
}

export class Renewal {
  #due = 0;

  constructor(readonly deps: RenewalDeps) {}

  start(): void {
    this.look();
    setInterval(this.look, LOOK_MS);
    // A machine that slept over it.
    document.addEventListener('visibilitychange', this.look);
  }

  readonly look = (): void => {
    const now = this.deps.now();
    if (now < this.#due || !this.deps.isIn()) return;
    this.#due = now + DAY_MS;
    this.deps.ask().catch(() => {
      this.#due = now + LOOK_MS;
    });
  };
}
