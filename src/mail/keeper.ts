// Keeps the persons' keys waiting around an attempt, and lets them go whatever becomes of it.
import { randomBytes } from 'node:crypto';
import type { BoxProfile } from '../composer/index.js';
import type { Tracker } from '../sessions/index.js';
import { findHold, type HoldStart, holdKeys, type KeyHold } from '../tmux/index.js';

export interface KeeperDeps {
  // The script that frees the keys if we die, and what it runs first: a daemon that puts the draft back.
  watch: { script: string; rescue: readonly string[] };
  holdMaxMs: number;
  log: (message: string, details: Record<string, unknown>) => void;
}

export class Keeper {
  constructor(readonly deps: KeeperDeps) {}

  hold(tracker: Tracker, { pace }: BoxProfile): Promise<HoldStart> {
    const { watch, holdMaxMs } = this.deps;
    return holdKeys({
      pane: tracker.pane,
      token: randomBytes(5).toString('hex'),
      ownClients: tracker.server.ownClientPids,
      pace,
      maxMs: holdMaxMs,
      watch,
    });
  }

  // A hold that a daemon which is gone left behind.
  left(tracker: Tracker, { pace }: BoxProfile): Promise<KeyHold | undefined> {
    return findHold(tracker.pane, pace);
  }

  // How long the keys waited; undefined where letting go failed and the watchdog has to do it.
  async release(hold: KeyHold): Promise<number | undefined> {
    try {
      return (await hold.release()).heldMs;
    } catch (error) {
      this.deps.log('keys not released', { error: String(error) });
      return undefined;
    }
  }
}
