// Remembers the looks into a box that could not be read, so that it is not looked into at each output of its agent.
import type { Tracker } from '../sessions/index.js';
import { rowText } from '../terminal/cells.js';
import type { PaneView } from '../tmux/index.js';
import { type Looks, nextLook } from './look-pace.js';

export class UnreadBox {
  #last: (Looks & { whose: string; screen: string }) | undefined;

  constructor(readonly clock: () => number) {}

  // Until when it is left alone, for a draft or an attempt; undefined where it may be looked into now.
  async closedUntil(whose: string, { pane, lastOutputAt: printedAt }: Tracker): Promise<number | undefined> {
    const last = this.#last;
    if (last?.whose !== whose) return undefined;
    const now = this.clock();
    if (now < nextLook(last, { printedAt, hasChanged: false })) {
      // Its screen is looked at only where that could make a difference.
      const soonest = nextLook(last, { printedAt, hasChanged: true });
      if (now < soonest) return soonest;
      const hasChanged = screenOf(await pane.view()) !== last.screen;
      const next = nextLook(last, { printedAt, hasChanged });
      if (now < next) return next;
    }
    return undefined;
  }

  // A look has read nothing. When the next one may come, if nothing changes.
  noteLook(whose: string, before: PaneView): number {
    const lastAt = this.clock();
    const since = this.#last?.whose === whose ? this.#last.since : lastAt;
    this.#last = { whose, since, lastAt, screen: screenOf(before) };
    return nextLook(this.#last, { printedAt: undefined, hasChanged: false });
  }

  // What fails there is a look too, unless it was cut off: it may fail each time.
  async looking<T>(
    whose: string,
    before: PaneView,
    wasCut: () => boolean,
    look: () => Promise<T>,
  ): Promise<T> {
    const last = this.#last;
    try {
      return await look();
    } catch (error) {
      this.#last = last;
      if (!wasCut()) this.noteLook(whose, before);
      throw error;
    }
  }

  // It was read.
  forget(): void {
    this.#last = undefined;
  }
}

const screenOf = ({ rows }: PaneView): string => rows.map(rowText).join('\n');
