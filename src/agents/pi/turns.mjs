// pi's turns: one prompt and all that pi does for it. pi runs several in one go when there is more in its queue.

// After an error pi tries again by itself, up to three times, 8 s apart at most.
const RETRY_MS = 20_000;

export class Turns {
  #say;
  #count = 0;
  #turn;
  #answer;
  #retry;

  constructor(say) {
    this.#say = say;
  }

  report(state) {
    this.#say({ kind: 'status', state });
  }

  started() {
    clearTimeout(this.#retry);
    if (this.#turn === undefined) this.#begin();
    this.report('busy');
  }

  // A prompt is being read: into the running turn, or into a new one when that has given its answer.
  prompted() {
    if (this.#answer && !this.#answer.goesOn) {
      this.#end();
      this.#begin();
    }
    return this.#turn ?? null;
  }

  answered(answer) {
    this.#answer = answer;
  }

  ended() {
    this.report('idle');
    if (this.#answer?.how !== 'error') return this.#end();
    this.#retry = setTimeout(() => this.#end(), RETRY_MS);
    this.#retry.unref?.();
  }

  close() {
    clearTimeout(this.#retry);
    this.#end();
  }

  #begin() {
    this.#turn = `${Date.now()}-${++this.#count}`;
    this.#answer = undefined;
    this.#say({ kind: 'turn_started', turn: this.#turn });
  }

  #end() {
    if (this.#turn === undefined) return;
    const isWhole = this.#answer?.how === 'stop' || this.#answer?.how === 'length';
    this.#say({
      kind: 'turn_ended',
      turn: this.#turn,
      how: isWhole || this.#answer?.how === 'toolUse' ? 'completed' : 'interrupted',
      answer: isWhole ? this.#answer.text : null,
      evidence: `extension: ${this.#answer?.how ?? 'no answer'}`,
    });
    this.#turn = undefined;
    this.#answer = undefined;
  }
}
