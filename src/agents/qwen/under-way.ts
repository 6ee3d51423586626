// What was handed to Qwen Code and its output has not shown: followed until it is shown, recorded, or gone from the input box.
import type { Disposable } from '../../tmux/index.js';

interface Where {
  // It has done nothing for long enough to show it.
  readonly isRested: boolean;
  // A turn has ended since: if that was a person's interrupt, its queue was put into the input box.
  readonly sawEnd: boolean;
}

const JUST_HANDED: Where = { isRested: false, sawEnd: false };
// A queue that no interrupt has dropped waits for a dialog to be closed.
const isInBox = ({ isRested, sawEnd }: Where): boolean => isRested && sawEnd;

export interface Followed {
  isBusy(): boolean;
  // Reads what it has written by now.
  look(): void;
  isRecorded(id: string): boolean;
  // It is under way no more: its record shows it, or a person has sent what was in their box without it.
  onLeft(id: string): void;
  onRested(): void;
}

export class UnderWay implements Disposable {
  readonly #where = new Map<string, Where>();
  readonly #waiting = new Map<string, () => void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly shownMs: number,
    readonly agent: Followed,
  ) {}

  // It may show one of them yet.
  get isExpected(): boolean {
    return [...this.#where.values()].some(({ isRested }) => !isRested);
  }

  // To be called before it is written: resolves with whether it was shown in time.
  handOver(id: string): Promise<boolean> {
    this.#where.set(id, JUST_HANDED);
    return new Promise((resolve) => {
      const finish = (isShown: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(isShown);
      };
      const timer = setTimeout(() => finish(false), this.shownMs);
      this.#waiting.set(id, () => finish(true));
    });
  }

  // Shown, or never written.
  settle(id: string): void {
    this.#where.delete(id);
    this.#waiting.get(id)?.();
  }

  // Handed over by an earlier daemon.
  follow(id: string): void {
    if (this.#where.has(id)) return;
    this.#where.set(id, JUST_HANDED);
    this.watch();
  }

  // A prompt with none of ours in it, or with one that had come into the box. What we hand over says nothing about the box.
  isFromBox(ids: readonly string[]): boolean {
    return ids.length === 0 || ids.some((id) => isInBox(this.#where.get(id) ?? JUST_HANDED));
  }

  // A person has sent what was in their box.
  boxSent(): void {
    for (const [id, where] of this.#where) if (isInBox(where)) this.#left(id);
  }

  turnEnded(): void {
    for (const [id, where] of this.#where)
      if (!isInBox(where)) this.#where.set(id, { isRested: false, sawEnd: true });
  }

  // A line that it has not shown after resting so long since a turn's end is in the input box.
  watch(): void {
    clearTimeout(this.#timer);
    if (this.#where.size === 0 || this.agent.isBusy()) return;
    this.#timer = setTimeout(() => this.#rested(), this.shownMs);
    this.#timer.unref();
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #rested(): void {
    this.agent.look();
    if (this.agent.isBusy()) return;
    for (const [id, where] of this.#where)
      if (this.agent.isRecorded(id)) this.#left(id);
      else this.#where.set(id, { ...where, isRested: true });
    this.agent.onRested();
  }

  #left(id: string): void {
    this.#where.delete(id);
    this.agent.onLeft(id);
  }
}
