// Copilot's turns, from its events: one interaction each, from the prompt that began it to its end.

export class Turns {
  #say;
  #turn;
  #answer = null;
  #isAborted = false;
  #asked = null;
  #told = '';

  constructor(say) {
    this.#say = say;
    this.#report();
  }

  get isRunning() {
    return this.#turn !== undefined;
  }

  // Undefined when none runs.
  get current() {
    return this.#turn;
  }

  // Of a prompt that was read: the turn it belongs to.
  prompted({ interactionId }) {
    this.#begin(interactionId);
    return this.#turn;
  }

  hear({ type, data }) {
    if (type === 'assistant.turn_start') this.#begin(data.interactionId);
    else if (type === 'assistant.message') this.#answer = data.content || this.#answer;
    else if (type === 'abort') this.#isAborted = true;
    else if (type === 'assistant.idle' || type === 'session.idle') {
      this.#isAborted ||= data.aborted === true;
      this.#end(type);
      this.#report();
    }
  }

  // What a person is asked; null when nothing.
  asks(what) {
    this.#asked = what;
    this.#report();
  }

  #begin(id) {
    const turn = id ?? this.#turn ?? `${Date.now()}`;
    if (turn === this.#turn) return;
    this.#end('next prompt');
    this.#turn = turn;
    this.#answer = null;
    this.#say({ kind: 'turn_started', turn });
    this.#report();
  }

  #end(evidence) {
    if (this.#turn !== undefined)
      this.#say({
        kind: 'turn_ended',
        turn: this.#turn,
        how: this.#isAborted ? 'interrupted' : 'completed',
        answer: this.#isAborted ? null : this.#answer,
        evidence: `extension: ${evidence}`,
      });
    this.#turn = undefined;
    this.#isAborted = false;
  }

  #report() {
    const busy = this.#asked === null ? 'busy' : 'waiting';
    const state = this.#turn === undefined ? 'idle' : busy;
    const detail = state === 'waiting' ? this.#asked : null;
    if (this.#told === `${state} ${detail}`) return;
    this.#told = `${state} ${detail}`;
    this.#say({ kind: 'status', state, detail });
  }
}
