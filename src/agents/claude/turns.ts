// Claude Code's turns, by the id that its hooks give to each prompt: when one begins, and when it has truly ended.
import type { DoorEvent } from '../door.js';

// The Stop hook comes before the registry says idle; where none comes, the person interrupted the turn.
const STOP_MS = 1500;
// What hooks left while no daemon ran is read only when the doors of all sessions are open.
const STOP_AT_OPEN_MS = 15_000;

// `unknown`: nobody was there when it would have begun. `id` null: a version that gives none.
export type Running = { kind: 'none' } | { kind: 'unknown' } | { kind: 'turn'; id: string | null };

export class Turns {
  #running: Running;
  #answer: { text: string | null } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly tell: (event: DoorEvent) => void,
    running: Running = { kind: 'none' },
  ) {
    this.#running = running;
  }

  get running(): Running {
    return this.#running;
  }

  get current(): string | null {
    return this.#running.kind === 'turn' ? this.#running.id : null;
  }

  // One may run that no hook has told of.
  unsure(): void {
    if (this.#running.kind === 'none') this.#running = { kind: 'unknown' };
  }

  // True when this prompt surely began a turn. Otherwise it may be queued in one that runs.
  begin(turn: string | null): boolean {
    const running = this.#running;
    if (running.kind !== 'none' && (running.kind === 'unknown' || running.id === null || turn === null)) {
      this.#running = { kind: 'turn', id: turn ?? this.current };
      return false;
    }
    if (running.kind === 'turn' && running.id === turn) return false;
    this.settle();
    this.#running = { kind: 'turn', id: turn };
    this.#answer = undefined;
    this.tell({ kind: 'turn_started', turn });
    return true;
  }

  // Another hook of the user's may let the turn go on: while the registry says busy, its next word is waited for.
  stopped(turn: string | null, answer: string | null, isBusy: boolean): void {
    // A prompt out of the queue begins its turn without a hook.
    if (turn !== null && this.current !== null && turn !== this.current) this.settle();
    this.#running = { kind: 'turn', id: turn ?? this.current };
    this.#answer = { text: answer };
    if (!isBusy) this.settle();
  }

  // The registry says idle.
  idle(when: 'now' | 'at open' = 'now'): void {
    if (this.#answer) this.settle();
    else if (this.#running.kind === 'unknown') this.#running = { kind: 'none' };
    else if (this.#running.kind === 'turn')
      this.#timer ??= setTimeout(() => this.settle(), when === 'now' ? STOP_MS : STOP_AT_OPEN_MS).unref();
  }

  settle(otherwise = 'registry: idle without a Stop hook'): void {
    this.dispose();
    const running = this.#running;
    const answer = this.#answer;
    this.#running = { kind: 'none' };
    this.#answer = undefined;
    if (running.kind !== 'turn') return;
    this.tell({
      kind: 'turn_ended',
      turn: running.id,
      how: answer ? 'completed' : 'interrupted',
      answer: answer?.text ?? null,
      evidence: answer ? 'Stop hook' : otherwise,
    });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
