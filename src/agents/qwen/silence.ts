// A turn whose end was never written is given up once Qwen Code has been silent for too long.
import type { Disposable } from '../../tmux/index.js';
import type { Turns } from './turns.js';

// A turn that was stopped in a tool, and one whose end was never written.
const STOPPED_MS = 20_000;
const SILENT_MS = 180_000;

export class Silence implements Disposable {
  #lastLineAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly turns: Pick<Turns, 'isSilent' | 'mayHaveStopped' | 'giveUp'>,
    readonly clock: () => number,
  ) {}

  // Of any kind: the words of an answer come all the while.
  lineCame(): void {
    this.#lastLineAt = this.clock();
  }

  watch(): void {
    clearTimeout(this.#timer);
    if (!this.turns.isSilent) return;
    const ms = this.turns.mayHaveStopped ? STOPPED_MS : SILENT_MS;
    this.#timer = setTimeout(() => {
      if (this.clock() - this.#lastLineAt < ms) this.watch();
      else this.turns.giveUp(ms);
    }, ms);
    this.#timer.unref();
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
