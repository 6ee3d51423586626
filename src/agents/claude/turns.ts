// Claude Code's turns, by the id that its hooks give to each prompt: when one begins, and when it has truly ended.
import type { DoorEvent } from '../door.js';

// The Stop hook comes before the registry says idle; where none comes, the person interrupted the turn.
const STOP_MS = 1500;

export class Turns {
  #current: string | null = null;
  #answer: { text: string | null } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(readonly tell: (event: DoorEvent) => void) {}

  get current(): string | null {
    return this.#current;
  }

  // False when this turn was running already.
  begin(turn: string | null): boolean {
    if (turn !== null && turn === this.#current) return false;
    if (this.#current !== null) this.settle();
    this.#current = turn;
    this.#answer = undefined;
    clearTimeout(this.#timer);
    this.tell({ kind: 'turn_started', turn });
    return true;
  }

  // Another hook of the user's may let the turn go on: while the registry says busy, its next word is waited for.
  stopped(turn: string | null, answer: string | null, isBusy: boolean): void {
    // A prompt that was queued has a turn of its own, which no hook tells the beginning of.
    if (turn !== null && turn !== this.#current) {
      if (this.#current !== null) this.settle();
      this.#current = turn;
    }
    this.#answer = { text: answer };
    if (!isBusy) this.settle();
  }

  // The registry says idle.
  idle(): void {
    if (this.#answer) this.settle();
    else if (this.#current !== null) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.settle(), STOP_MS);
    }
  }

  settle(): void {
    clearTimeout(this.#timer);
    const turn = this.#current;
    const answer = this.#answer;
    this.#current = null;
    this.#answer = undefined;
    if (turn === null && !answer) return;
    this.tell({
      kind: 'turn_ended',
      turn,
      how: answer ? 'completed' : 'interrupted',
      answer: answer?.text ?? null,
      evidence: answer ? 'Stop hook' : 'registry: idle without a Stop hook',
    });
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
