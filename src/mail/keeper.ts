// Keeps the persons' keys waiting around an attempt, and lets them go whatever becomes of it.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { BoxProfile } from '../composer/index.js';
import type { Tracker, Typing } from '../sessions/index.js';
import {
  ESCAPE_MS,
  findHold,
  type HoldPace,
  type HoldStart,
  type HoldWatch,
  holdKeys,
  holdWatchText,
  type KeyHold,
  type Pane,
  SshHost,
  type Transport,
} from '../tmux/index.js';
import type { Config } from './config.js';
import type { Fault } from './faults.js';

export interface KeeperDeps {
  // The script that frees the keys if we die, and what it runs first: a daemon that puts the draft back.
  watch: HoldWatch;
  // Where a test may end the daemon.
  fault?: Fault | undefined;
  config: Pick<Config, 'holdMaxMs'>;
  // How long keys waited, each time that they were let go.
  released?: ((heldMs: number) => void) | undefined;
  log: (message: string, details: Record<string, unknown>) => void;
}

// tmux counts activity in whole seconds.
const RECENT_S = 2;
// A swap that hangs is given up: the watchdog frees the keys. Not before the slowest one could end: keys that come in the
// middle of a hand-over are lost. Seen on Gemini late in a conversation, at a load of three times the cores: 12 s.
const LONGEST_MS = 30_000;

// On another machine the script goes as text, and nobody there could start a daemon.
const watchFor = (transport: Transport, watch: HoldWatch): HoldWatch =>
  transport instanceof SshHost
    ? { script: { text: holdWatchText() }, rescue: [], tmux: transport.facts?.tmux ?? 'tmux' }
    : watch;

export class Keeper {
  readonly #timers = new Map<KeyHold, NodeJS.Timeout>();
  readonly #passed = new WeakMap<Pane, number>();
  // Keys from outside of tmux wait with us, as long as those inside of it do.
  readonly #outside = new Map<KeyHold, { typing: Typing; pace: HoldPace }>();

  constructor(readonly deps: KeeperDeps) {}

  async hold(tracker: Tracker, { pace }: BoxProfile): Promise<HoldStart> {
    const { watch, config } = this.deps;
    const { typing } = tracker;
    typing.hold();
    let start: HoldStart;
    try {
      start = await holdKeys({
        pane: tracker.pane,
        token: randomBytes(5).toString('hex'),
        ownClients: tracker.server.ownClientPids,
        pace,
        maxMs: config.holdMaxMs,
        watch: watchFor(tracker.server.transport, watch),
      });
    } catch (error) {
      await typing.release(pace);
      throw error;
    }
    if (start.outcome !== 'held') {
      await typing.release(pace);
      return start;
    }
    this.#outside.set(start.hold, { typing, pace });
    this.#keepOn(start.hold);
    // An Escape of theirs that came right before it must not become one key with ours.
    const lastKeyAt = Math.max(start.lastKeyAt, typing.keyedAt ?? 0);
    if (Date.now() / 1000 - lastKeyAt < RECENT_S) await delay(ESCAPE_MS);
    return start;
  }

  // The watchdog is for a daemon that died; one that lives and is slow ends its swap first.
  #keepOn(hold: KeyHold): void {
    const { holdMaxMs } = this.deps.config;
    const end = Date.now() + LONGEST_MS;
    const timer = setInterval(() => {
      if (Date.now() > end) clearInterval(timer);
      else hold.extend(holdMaxMs).catch(() => {});
    }, holdMaxMs / 3);
    timer.unref();
    this.#timers.set(hold, timer);
  }

  // A hold that a daemon which is gone left behind.
  async left(tracker: Tracker, { pace }: BoxProfile): Promise<KeyHold | undefined> {
    const hold = await findHold(tracker.pane, pace);
    if (!hold) return undefined;
    const { typing } = tracker;
    typing.hold();
    this.#outside.set(hold, { typing, pace });
    try {
      await hold.extend(this.deps.config.holdMaxMs);
      // The watchdog may have been at it: only now is it certain that it lets no further key through.
      if (!(await hold.look())) {
        await hold.release();
        await this.#releaseOutside(hold);
        return undefined;
      }
    } catch (error) {
      // Nobody has it to release: what it is in tmux is found again, or its watchdog ends it.
      await this.#releaseOutside(hold);
      throw error;
    }
    this.#keepOn(hold);
    return hold;
  }

  // When a person's keys that had waited came to a pane last: tmux tells only when they were pressed.
  keysPassedAt(pane: Pane): number {
    return this.#passed.get(pane) ?? 0;
  }

  // How long the keys waited; undefined where letting go failed and the watchdog has to do it.
  async release(hold: KeyHold): Promise<number | undefined> {
    clearInterval(this.#timers.get(hold));
    this.#timers.delete(hold);
    try {
      this.deps.fault?.('keys:free');
      const { heldMs, keys, by } = await hold.release();
      this.deps.fault?.('keys:freed');
      this.deps.released?.(heldMs);
      // Somebody else who freed them did not count them.
      const outside = await this.#releaseOutside(hold);
      if (keys > 0 || outside > 0 || by === 'other') this.#passed.set(hold.pane, Date.now());
      return heldMs;
    } catch (error) {
      this.#passed.set(hold.pane, Date.now());
      this.deps.log('keys not released', { error: String(error) });
      await this.#releaseOutside(hold);
      return undefined;
    }
  }

  // After those inside of tmux. How much had waited.
  async #releaseOutside(hold: KeyHold): Promise<number> {
    const outside = this.#outside.get(hold);
    this.#outside.delete(hold);
    return outside ? outside.typing.release(outside.pace) : 0;
  }
}
