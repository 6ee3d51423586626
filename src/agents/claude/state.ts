// What Claude Code does now: by its registry, or by its hooks where it keeps none.
import type { Status } from '../status.js';
import { Asked } from './asked.js';

export class State {
  readonly asked = new Asked();
  #status: Status | undefined;

  constructor(readonly tell: (status: Status) => void) {}

  get status(): Status | undefined {
    return this.#status;
  }

  get isBusy(): boolean {
    return this.#status?.state === 'busy' || this.#status?.state === 'waiting';
  }

  // The registry is the better witness, where there is one.
  set(status: Status): void {
    if (status.source === 'hook' && this.#status?.source === 'registry') return;
    this.#status = status;
    this.tell(status);
  }

  // What a hook tells.
  report(state: Status['state'], since: number, detail: string | null = null): void {
    this.set({ state, since, source: 'hook', detail });
  }

  // A turn has ended, or none has begun: nothing is asked any more.
  rest(since: number): void {
    this.asked.clear();
    this.report('idle', since);
  }

  // Something goes on, unless a question is open: a person at a dialog cannot submit a prompt, but tasks and hooks can.
  work(since: number): void {
    if (!this.asked.isOpen) this.report('busy', since);
  }
}
