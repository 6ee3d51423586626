// What Qwen Code does, from what it writes: busy from a prompt until an answer that calls no tool.
import type { Status } from '../status.js';
import type { Told } from './wire.js';

type How = 'completed' | 'interrupted';

export type Change =
  | { kind: 'started'; turn: string }
  | { kind: 'ended'; turn: string | null; how: How; answer: string | null; evidence: string }
  | { kind: 'state'; state: Status['state']; detail: string | null };

export class Turns {
  #turn: string | null = null;
  #busy = false;
  #answer: string | null = null;
  readonly #calls = new Set<string>();
  // Every result of the last calls was a failure: a turn that a person stopped in a tool ends without another word.
  #failed = true;
  readonly #asked = new Map<string, string>();
  #told = '';
  // It fell silent in the middle of a turn: nobody knows whether it still works.
  #isLost = false;

  constructor(readonly tell: (change: Change) => void) {}

  get isBusy(): boolean {
    return this.#busy || this.#asked.size > 0;
  }

  // It waits for the model, or for nothing any more: nothing that runs here would be heard.
  get isSilent(): boolean {
    return this.#busy && this.#calls.size === 0 && this.#asked.size === 0;
  }

  get mayHaveStopped(): boolean {
    return this.isSilent && this.#failed;
  }

  heard(told: Told): void {
    switch (told.kind) {
      case 'started':
        break;
      case 'prompt':
        this.#end('interrupted', 'the next prompt came without its end');
        this.#turn = told.turn;
        this.#busy = true;
        this.#isLost = false;
        this.tell({ kind: 'started', turn: told.turn });
        break;
      case 'answering':
        this.#busy = true;
        this.#isLost = false;
        this.#failed = false;
        break;
      case 'answer':
        this.#answer = told.text || this.#answer;
        this.#calls.clear();
        for (const call of told.calls) this.#calls.add(call);
        this.#failed = told.calls.length > 0;
        break;
      case 'answered':
        this.#isLost = false;
        if (this.#calls.size === 0) this.#end('completed', 'message_stop without a tool call');
        break;
      case 'results':
        for (const { id, failed } of told.tools) {
          this.#calls.delete(id);
          if (!failed) this.#failed = false;
        }
        break;
      case 'asked':
        this.#asked.set(told.id, told.detail);
        break;
      case 'decided':
        this.#asked.delete(told.id);
        break;
    }
    this.#report();
  }

  // It has been silent for too long to be at work.
  giveUp(ms: number): void {
    if (!this.#busy) return;
    this.#isLost = true;
    this.#end('interrupted', `silent for ${Math.round(ms / 1000)} s`);
    this.#report();
  }

  #end(how: How, evidence: string): void {
    if (!this.#busy) return;
    this.#busy = false;
    this.#calls.clear();
    this.#asked.clear();
    this.#failed = false;
    this.tell({ kind: 'ended', turn: this.#turn, how, answer: this.#answer, evidence });
    this.#turn = null;
    this.#answer = null;
  }

  #report(): void {
    const [detail] = this.#asked.values();
    const atRest = this.#isLost ? 'unknown' : 'idle';
    const state = detail !== undefined ? 'waiting' : this.#busy ? 'busy' : atRest;
    const told = `${state} ${detail ?? ''}`;
    if (told === this.#told) return;
    this.#told = told;
    this.tell({ kind: 'state', state, detail: detail ?? null });
  }
}
