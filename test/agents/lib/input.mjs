// The terminal's input as events, with times during which nothing is read.
import { KeyParser } from './keys.mjs';

export class Input {
  #handle;
  #done;
  #events = [];
  #deaf = null;

  // done() is called once all the events of a read are handled.
  constructor(handle, done) {
    this.#handle = handle;
    this.#done = done;
  }

  start(onEnd) {
    const parser = new KeyParser((event) => {
      this.#events.push(event);
      this.#drain();
    });
    process.stdin.setRawMode?.(true);
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (chunk) => parser.push(chunk));
    process.stdin.on('end', onEnd);
  }

  stop() {
    process.stdin.setRawMode?.(false);
  }

  deafen(ms) {
    process.stdin.pause();
    clearTimeout(this.#deaf);
    this.#deaf = setTimeout(() => this.listen(), ms);
  }

  listen() {
    if (!this.#deaf) return;
    clearTimeout(this.#deaf);
    this.#deaf = null;
    process.stdin.resume();
    this.#drain();
  }

  // Input that came in one read with the Enter waits too while the program is deaf.
  #drain() {
    while (this.#events.length && !this.#deaf) this.#handle(this.#events.shift());
    this.#done();
  }
}
