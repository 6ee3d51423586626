// Claude Code's turns, by the id that its hooks and its transcript give to each prompt: when one begins, and when it has truly
// ended. A prompt that only a hook has told of may have been stopped by a hook of the user's: then there was no turn.
import type { DoorEvent } from '../door.js';

// The Stop hook comes before the registry says idle; where none comes, the person interrupted the turn.
const STOP_MS = 1500;
// What hooks left while no daemon ran is read only when the doors of all sessions are open.
const STOP_AT_OPEN_MS = 15_000;
// The transcript shows a prompt some 100 ms after the last hook of it; hooks of the user's may take their time.
const SHOWN_MS = 3000;
// Turns whose end is known when the transcript shows, late, what they had taken.
const MOST_ENDED = 20;

// `id` null: a version whose hooks give none, and the transcript has not told it yet.
export type Running = { kind: 'none' } | { kind: 'turn'; id: string | null; isShown: boolean };
// What a Stop hook said.
export interface Answer {
  text: string | null;
}
type Ended = Extract<DoorEvent, { kind: 'turn_ended' }>;

export interface TurnsEvents {
  tell(event: DoorEvent): void;
  // Nothing has shown the prompt that began it.
  unshown(): void;
}

const isSame = (one: string | null, other: string | null): boolean =>
  one === null || other === null || one === other;

export class Turns {
  #running: Running;
  // Prompts in the transcript; the last one that no hook has told of.
  readonly #shown = new Set<string>();
  #untold: { id: string | null } | undefined;
  #dropped: { id: string | null } | undefined;
  #late: Ended | undefined;
  #ended: { event: Ended; isShown: boolean }[] = [];
  #answer: Answer | undefined;
  #begunAt: number | undefined;
  #completed: { begunAt: number; endedAt: number } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #doubt: NodeJS.Timeout | undefined;

  constructor(
    readonly events: TurnsEvents,
    running: Running = { kind: 'none' },
    answer?: Answer,
  ) {
    this.#running = running;
    this.#answer = running.kind === 'turn' ? answer : undefined;
    this.#awaitShown();
  }

  get running(): Running {
    return this.#running;
  }

  // Of the turn that runs: it has stopped, unless another hook lets it go on.
  get answer(): Answer | undefined {
    return this.#answer;
  }

  get current(): string | null {
    return this.#running.kind === 'turn' ? this.#running.id : null;
  }

  // The last turn whose beginning and Stop were both heard.
  get completed(): { begunAt: number; endedAt: number } | undefined {
    return this.#completed;
  }

  // What was told of the end of that turn.
  endOf(turn: string): Ended | undefined {
    return this.#ended.find(({ event }) => event.turn === turn)?.event;
  }

  // The end of a turn without an id whose prompt was shown after it.
  get late(): Ended | undefined {
    return this.#late;
  }

  // Whether something that a hook tells of such a turn can still go on.
  mayRun(turn: string | null): boolean {
    if (this.#running.kind === 'turn') return true;
    return this.#untold !== undefined && (turn === null || !this.endOf(turn));
  }

  // A prompt that comes during a turn is queued in it, or taken into it.
  begin(turn: string | null, at?: number): void {
    const running = this.#running;
    if (running.kind === 'turn' && isSame(running.id, turn)) {
      this.#running = { ...running, id: turn ?? running.id };
      return;
    }
    // Without an id, it may be queued in the turn that no hook has told of.
    const untold = turn === null ? this.#untold : undefined;
    this.settle();
    const isShown = untold !== undefined || (turn !== null && this.#shown.has(turn));
    this.#running = { kind: 'turn', id: turn, isShown };
    this.#untold = untold;
    this.#begunAt = at;
    this.#dropped = undefined;
    this.#late = undefined;
    this.#awaitShown();
    this.events.tell({ kind: 'turn_started', turn });
  }

  // The transcript shows its prompt. True when it had been given up.
  show(turn: string | null): boolean {
    if (turn !== null) this.#shown.add(turn);
    this.#late = undefined;
    const running = this.#running;
    if (running.kind === 'turn' && isSame(running.id, turn)) {
      this.#running = { kind: 'turn', id: running.id ?? turn, isShown: true };
      this.#untold = undefined;
      clearTimeout(this.#doubt);
      return false;
    }
    const last = this.#ended.at(-1);
    // A quick turn: its Stop hook was heard before its prompt was written.
    if (running.kind === 'none' && last?.event.turn === null && !last.isShown) {
      this.#late = { ...last.event, turn };
      this.#ended.splice(-1, 1, { event: this.#late, isShown: true });
      return false;
    }
    if (turn !== null && this.endOf(turn)) return false;
    const dropped = this.#dropped;
    this.#untold = { id: turn };
    if (running.kind === 'turn' || !dropped || !isSame(dropped.id, turn)) return false;
    this.begin(dropped.id ?? turn);
    this.show(turn);
    return true;
  }

  // False where it was shown meanwhile, or is over.
  drop(): boolean {
    const running = this.#running;
    if (running.kind === 'none' || running.isShown || this.#answer) return false;
    this.#dropped = { id: running.id };
    this.settle();
    return true;
  }

  // Another hook of the user's may let the turn go on: while the registry says busy, its next word is waited for.
  stopped(turn: string | null, answer: string | null, { isBusy, at }: { isBusy: boolean; at: number }): void {
    // A prompt out of the queue begins its turn without a hook.
    if (turn !== null && this.current !== null && turn !== this.current) this.settle();
    if (this.#running.kind === 'none') this.#begunAt = undefined;
    const id = turn ?? this.current ?? this.#untold?.id ?? null;
    this.#running = { kind: 'turn', id, isShown: this.#isShown(id) };
    this.#answer = { text: answer };
    if (this.#begunAt !== undefined) this.#completed = { begunAt: this.#begunAt, endedAt: at };
    if (!isBusy) this.settle();
  }

  // The registry says idle.
  idle(when: 'now' | 'at open' = 'now'): void {
    if (this.#answer && when === 'now') this.settle();
    else if (this.#running.kind === 'none') this.#untold = undefined;
    else this.#timer ??= setTimeout(() => this.settle(), this.#stopWithin(when)).unref();
  }

  settle(otherwise = 'registry: idle without a Stop hook'): void {
    this.dispose();
    const running = this.#running;
    const answer = this.#answer;
    this.#running = { kind: 'none' };
    this.#answer = undefined;
    if (running.kind === 'none' || (this.#untold && isSame(this.#untold.id, running.id)))
      this.#untold = undefined;
    if (running.kind === 'none' || (!answer && !running.isShown)) return;
    const event: Ended = {
      kind: 'turn_ended',
      turn: running.id,
      how: answer ? 'completed' : 'interrupted',
      answer: answer?.text ?? null,
      evidence: answer ? 'Stop hook' : otherwise,
    };
    this.#ended = [...this.#ended, { event, isShown: running.isShown }].slice(-MOST_ENDED);
    this.events.tell(event);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#doubt);
    this.#timer = undefined;
  }

  #stopWithin(when: 'now' | 'at open'): number {
    // Heard before: told as soon as somebody listens.
    if (this.#answer) return 0;
    return when === 'now' ? STOP_MS : STOP_AT_OPEN_MS;
  }

  #isShown(id: string | null): boolean {
    return (this.#running.kind === 'turn' && this.#running.isShown) || (id !== null && this.#shown.has(id));
  }

  #awaitShown(): void {
    clearTimeout(this.#doubt);
    if (this.#running.kind === 'none' || this.#running.isShown) return;
    this.#doubt = setTimeout(() => this.events.unshown(), SHOWN_MS).unref();
  }
}
