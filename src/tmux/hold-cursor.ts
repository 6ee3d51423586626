// The cursor of a pane while its keys wait: by where it stands is seen that a program has taken one.
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pane } from './pane.js';
import { quote } from './quote.js';

// Behind an Enter what is printed above the box moves it down: that it is empty shows in the column alone.
export type Place = 'column' | 'cell';
const FORMATS: Record<Place, string> = { column: '#{cursor_x}', cell: '#{cursor_x},#{cursor_y}' };

// Nothing is waited for longer without prolonging the hold.
const SLICE_MS = 1000;

export interface CursorTools {
  pane: Pane;
  run(command: string): Promise<string[]>;
  // Called again and again while something is waited for.
  keepOn?(): Promise<void>;
  pause?(ms: number): Promise<void>;
  now?(): number;
}

export class HoldCursor {
  constructor(readonly tools: CursorTools) {}

  // Where it stands once it has not moved for so long, or has been waited for often enough.
  async settled(place: Place, ms: number, times: number): Promise<string | undefined> {
    let cursor = await this.#at(place);
    for (let waits = 0; ms > 0 && waits <= times; waits++) {
      await this.tools.keepOn?.();
      await (this.tools.pause ?? delay)(ms);
      const now = await this.#at(place);
      if (now === cursor) break;
      cursor = now;
    }
    return cursor;
  }

  // It stands still in another place: in the middle of a paint it is anywhere.
  async movedOn(place: Place, from: string | undefined, quietMs: number, ms: number): Promise<boolean> {
    for (const end = this.#now() + ms; this.#now() < end; )
      if ((await this.settled(place, quietMs, 1)) !== from) return true;
    return false;
  }

  // It has moved since the key: a program that is slower than any pace has taken it by then. Without a time: by now.
  async leaves(place: Place, from: string | undefined, ms: number): Promise<boolean> {
    const look = async (): Promise<true | undefined> => (await this.#at(place)) !== from || undefined;
    if (ms <= 0) return (await look()) ?? false;
    for (let left = ms; left > 0; left -= SLICE_MS) {
      await this.tools.keepOn?.();
      if ((await this.tools.pane.waitUntil(look, Math.min(left, SLICE_MS))).outcome === 'seen') return true;
    }
    return false;
  }

  #now(): number {
    return this.tools.now?.() ?? performance.now();
  }

  async #at(place: Place): Promise<string | undefined> {
    const { pane, run } = this.tools;
    const [cursor] = await run(`display-message -p -t ${pane.id} ${quote(FORMATS[place])}`);
    return cursor;
  }
}
