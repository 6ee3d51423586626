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
  type Released,
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
// How long those that an attempt left behind wait for whoever takes it up: it is looked at again a second after it failed.
const LEFT_MS = 6000;

// On another machine the script goes as text, and nobody there could start a daemon.
const watchFor = (transport: Transport, watch: HoldWatch): HoldWatch =>
  transport instanceof SshHost
    ? { script: { text: holdWatchText() }, rescue: [], tmux: transport.facts?.tmux ?? 'tmux' }
    : watch;

// A hold, and what goes with it until its keys are let go.
interface Kept {
  // Keys from outside of tmux wait with it, as long as those inside of it do.
  readonly typing: Typing;
  readonly pace: HoldPace;
  readonly timer: NodeJS.Timeout;
  // It is given more time until then.
  until: number;
  // Its attempt broke off, and nobody has taken it up yet.
  isLeft: boolean;
  released: Promise<number | undefined> | undefined;
}

export class Keeper {
  readonly #kept = new Map<KeyHold, Kept>();
  readonly #passed = new WeakMap<Pane, number>();
  readonly #ended = new WeakMap<Pane, number>();

  #isOver = false;

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
    this.#keep(start.hold, typing, pace);
    // An Escape of theirs that came right before it must not become one key with ours.
    const lastKeyAt = Math.max(start.lastKeyAt, typing.keyedAt ?? 0);
    if (Date.now() / 1000 - lastKeyAt < RECENT_S) await delay(ESCAPE_MS);
    return start;
  }

  // The watchdog is for a daemon that died; one that lives and is slow ends its swap first.
  #keep(hold: KeyHold, typing: Typing, pace: HoldPace): void {
    const { holdMaxMs } = this.deps.config;
    const timer = setInterval(() => this.#extend(hold), holdMaxMs / 3).unref();
    const until = Date.now() + LONGEST_MS;
    this.#kept.set(hold, { typing, pace, timer, until, isLeft: false, released: undefined });
  }

  #extend(hold: KeyHold): void {
    const kept = this.#kept.get(hold);
    if (!kept) return;
    if (Date.now() <= kept.until) hold.extend(this.deps.config.holdMaxMs).catch(() => {});
    else if (kept.isLeft) void this.release(hold);
    else clearInterval(kept.timer);
  }

  // What was done under it broke off half done: the keys wait on for whoever takes that up. They do not wait for ever.
  async leave(hold: KeyHold): Promise<void> {
    const kept = this.#kept.get(hold);
    if (!kept || kept.released) return;
    if (this.#isOver || Date.now() - hold.since > LONGEST_MS) {
      await this.release(hold);
      return;
    }
    kept.isLeft = true;
    kept.until = Date.now() + LEFT_MS;
  }

  // A hold that an attempt left behind, of this daemon or of one that is gone.
  async left(tracker: Tracker, { pace }: BoxProfile): Promise<KeyHold | undefined> {
    const { pane, typing } = tracker;
    // One whose keys are being let go holds nobody any more.
    const others = [...this.#kept.values()].filter((kept) => kept.typing === typing);
    await Promise.all(others.map(({ released }) => released));
    const before = [...this.#kept].find(([, { isLeft, typing: its }]) => isLeft && its === typing)?.[0];
    const hold = before && this.#takeUp(before, pane) ? before : await findHold(pane, pace);
    if (hold && hold !== before) {
      if (hold.wasFreed) this.#passed.set(pane, Date.now());
      typing.hold();
      this.#keep(hold, typing, pace);
    }
    // It was left when the pane was followed otherwise: what of it is in tmux has just been found.
    if (before && hold !== before) await this.#forget(before);
    // Whoever ended it meanwhile has let its keys through.
    if (before && !hold) this.#passed.set(pane, Date.now());
    if (!hold) return undefined;
    try {
      await hold.extend(this.deps.config.holdMaxMs);
      // The watchdog may have been at it: only now is it certain that it lets no further key through.
      if (await hold.look()) return hold;
    } catch (error) {
      await this.leave(hold);
      throw error;
    }
    await this.release(hold);
    return undefined;
  }

  // Nobody comes back to what was left, nor to what is left from now on.
  async dispose(): Promise<void> {
    this.#isOver = true;
    const ending = [...this.#kept].filter(([, { isLeft, released }]) => isLeft || released);
    await Promise.all(ending.map(([hold]) => this.release(hold)));
  }

  #takeUp(hold: KeyHold, pane: Pane): boolean {
    const kept = this.#kept.get(hold);
    if (!kept || hold.pane !== pane) return false;
    kept.isLeft = false;
    kept.until = Date.now() + LONGEST_MS;
    return true;
  }

  // When a person's keys that had waited came to a pane last: tmux tells only when they were pressed. Undefined where no
  // hold has ended here yet, and an earlier daemon's may have, a moment ago.
  keysPassedAt(pane: Pane): number | undefined {
    return this.#passed.get(pane);
  }

  // When the last hold there ended, whether or not a key had waited.
  endedAt(pane: Pane): number {
    return this.#ended.get(pane) ?? 0;
  }

  // How long the keys waited; undefined where letting go failed and the watchdog has to do it.
  release(hold: KeyHold): Promise<number | undefined> {
    const kept = this.#kept.get(hold);
    // One that has been let go of tells the same once more.
    if (!kept)
      return hold.release().then(
        ({ heldMs }) => heldMs,
        () => undefined,
      );
    kept.released ??= this.#release(hold, kept).finally(() => this.#kept.delete(hold));
    return kept.released;
  }

  async #release(hold: KeyHold, { timer, typing, pace }: Kept): Promise<number | undefined> {
    clearInterval(timer);
    let freed: Released | undefined;
    try {
      this.deps.fault?.('keys:free');
      freed = await hold.release();
      this.deps.fault?.('keys:freed');
      this.deps.released?.(freed.heldMs);
    } catch (error) {
      this.deps.log('keys not released', { error: String(error) });
    }
    // After those inside of tmux. Somebody else who freed those did not count them.
    const outside = await typing.release(pace);
    this.#ended.set(hold.pane, Date.now());
    const isCounted = freed?.by === 'us';
    const hasPassed = !isCounted || freed?.keys !== 0 || outside > 0;
    if (hasPassed) this.#passed.set(hold.pane, Date.now());
    else if (!this.#passed.has(hold.pane)) this.#passed.set(hold.pane, 0);
    return freed?.heldMs;
  }

  // Whoever finds it in tmux has it from now on.
  async #forget(hold: KeyHold): Promise<void> {
    const kept = this.#kept.get(hold);
    this.#kept.delete(hold);
    hold.abandon();
    clearInterval(kept?.timer);
    await kept?.typing.release(kept.pace);
  }
}
