// OpenCode's turns and what it does now, from its events: busy from a prompt to the end of all that came of it.
import type { DoorEvent } from '../door.js';
import type { Status } from '../status.js';
import { answerTo } from './history.js';
import { isAborted, type Message, textOf } from './wire.js';

export interface Ended {
  // The prompts that were answered in it.
  prompts: readonly string[];
  // Its last answer, to be read.
  answer: string | undefined;
  how: 'completed' | 'interrupted';
}

export class Turns {
  #busy = false;
  #isKnown = false;
  readonly #prompts = new Set<string>();
  #answer: string | undefined;
  #aborted = false;
  // What a person is asked for, by the id of the question.
  readonly #asked = new Map<string, string>();
  #told: string | undefined;
  status: Status;

  constructor(
    readonly clock: () => number,
    readonly tell: (event: DoorEvent) => void,
    readonly ended: (ended: Ended) => void,
  ) {
    this.status = { state: 'unknown', since: clock(), source: 'door', detail: null };
  }

  get isBusy(): boolean {
    return this.#busy || this.isWaiting;
  }

  // A person is asked for something.
  get isWaiting(): boolean {
    return this.#asked.size > 0;
  }

  // Undefined where nobody can say.
  state(type: string | undefined): void {
    const busy = type !== undefined && type !== 'idle';
    if (this.#busy && !busy) this.#end();
    this.#busy = busy;
    this.#isKnown = type !== undefined;
    this.#report();
  }

  // It is not heard any more: what ran then may have ended, and what was asked may have been decided.
  lost(): void {
    this.#asked.clear();
    this.#isKnown = false;
    this.#report();
  }

  asked(id: string, detail: string): void {
    this.#asked.set(id, detail);
    this.#report();
  }

  answeredQuestion(id: string): void {
    this.#asked.delete(id);
    this.#report();
  }

  // All that is open, as the server lists it.
  open(asked: readonly { id: string; detail: string }[]): void {
    this.#asked.clear();
    for (const { id, detail } of asked) this.#asked.set(id, detail);
  }

  answering(answer: string, prompt: string | undefined, aborted: boolean): void {
    // What comes after the end belongs to the turn that has ended.
    if (!this.#busy) return;
    this.#answer = answer;
    this.#aborted = aborted;
    if (prompt === undefined) return;
    if (this.#prompts.size === 0) this.tell({ kind: 'turn_started', turn: prompt });
    this.#prompts.add(prompt);
  }

  // What ran when it was last heard, which its conversation tells more of now.
  suspend(): string[] {
    const prompts = [...this.#prompts];
    this.#busy = false;
    this.#prompts.clear();
    this.#answer = undefined;
    this.#aborted = false;
    return prompts;
  }

  // Prompts whose turn was running before anybody listened.
  resume(prompts: Iterable<string>): void {
    for (const prompt of prompts) this.#prompts.add(prompt);
  }

  aborted(): void {
    this.#aborted = true;
  }

  // Nothing is known any more: it is another conversation.
  forget(): void {
    this.suspend();
    this.#told = undefined;
  }

  #end(): void {
    this.ended({
      prompts: [...this.#prompts],
      answer: this.#answer,
      how: this.#aborted ? 'interrupted' : 'completed',
    });
    this.#prompts.clear();
    this.#answer = undefined;
    this.#aborted = false;
  }

  #report(): void {
    const [detail] = this.#asked.values();
    const unasked = !this.#isKnown ? 'unknown' : this.#busy ? 'busy' : 'idle';
    const state: Status['state'] = detail !== undefined ? 'waiting' : unasked;
    const told = `${state} ${detail ?? ''}`;
    if (told === this.#told) return;
    this.#told = told;
    this.status = { state, since: this.clock(), source: 'door', detail: detail ?? null };
    this.tell({ kind: 'status', status: this.status });
  }
}

// A turn that answered several prompts ends for each of them.
export function endsOf(
  prompts: readonly string[],
  how: Ended['how'],
  message: Message | undefined,
): DoorEvent[] {
  const answer = message ? textOf(message) : null;
  const evidence = how === 'completed' ? 'session.idle' : 'MessageAbortedError';
  return prompts.map((turn) => ({ kind: 'turn_ended', turn, how, answer, evidence }));
}

// Of turns that ended while nobody listened.
export function endsAmong(prompts: Iterable<string>, messages: readonly Message[]): DoorEvent[] {
  return [...prompts].flatMap((turn) => {
    const last = answerTo(turn, messages);
    return endsOf([turn], isAborted(last?.info.error) ? 'interrupted' : 'completed', last);
  });
}
