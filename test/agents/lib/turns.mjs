// The agent's turns: works on one submission at a time and queues the others.
export class Turns {
  #ms;
  #onStart;
  #onEnd;
  #since = 0;
  busy = false;
  queue = [];

  constructor({ ms, onStart, onEnd }) {
    this.#ms = ms;
    this.#onStart = onStart;
    this.#onEnd = onEnd;
  }

  submit(text) {
    if (this.busy) this.queue.push(text);
    else this.#begin(text);
  }

  elapsed() {
    return Date.now() - this.#since;
  }

  #begin(text) {
    this.busy = true;
    this.#since = Date.now();
    this.#onStart(text);
    if (this.#ms === 0) this.#finish(text);
    else setTimeout(() => this.#finish(text), this.#ms);
  }

  #finish(text) {
    this.busy = false;
    this.#onEnd(text);
    if (this.queue.length) this.#begin(this.queue.shift());
  }
}
