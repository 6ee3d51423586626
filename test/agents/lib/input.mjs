// The terminal's input as events in their order, with times during which nothing is read or digested.
import { KeyParser } from './keys.mjs';
import { logEvent } from './log.mjs';

const logged = { text: ({ text }) => ({ text }), key: ({ name }) => ({ name }) };
const logKey = (event) =>
  logEvent('key', logged[event.type]?.(event) ?? { name: event.type, text: event.text });

export class Input {
  #handle;
  #done;
  #slow;
  #react;
  #pasteTakes;
  #logKeys;
  #events = [];
  #deaf = null;
  #held = false;
  #digesting = false;

  // done() is called once all the events of a read are handled. In ms: what each typed character takes (slow), the time
  // before an Enter (react) and that after a paste (pasteTakes).
  constructor(handle, done, { slow = 0, react = 0, pasteTakes = 0, logKeys = false } = {}) {
    this.#handle = handle;
    this.#done = done;
    this.#slow = slow;
    this.#react = react;
    this.#pasteTakes = pasteTakes;
    this.#logKeys = logKeys;
  }

  start(onEnd) {
    const parser = new KeyParser((event) => {
      // The terminal's own answers are no input: they wait for nothing.
      if (event.type === 'report') return this.#handle(event);
      if (this.#logKeys) logKey(event);
      this.#events.push(event);
      this.#drain();
    });
    this.raw(true);
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (chunk) => parser.push(chunk));
    process.stdin.on('end', onEnd);
  }

  raw(on) {
    process.stdin.setRawMode?.(on);
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

  // What is read meanwhile waits.
  hold() {
    this.#held = true;
  }

  release() {
    this.#held = false;
    this.#drain();
  }

  // Puts the rest of an event back in front of what waits.
  again(event) {
    this.#events.unshift(event);
  }

  // Input that came in one read with the Enter waits too while the program is deaf.
  #drain() {
    while (this.#events.length && !this.#deaf && !this.#held && !this.#digesting) {
      const event = this.#events.shift();
      if (this.#slow && event.type === 'text') this.#digest(event.text);
      else if (this.#react && event.name === 'enter') this.#busy(this.#react, () => this.#handle(event));
      else {
        this.#handle(event);
        if (this.#pasteTakes && event.type === 'paste') this.#busy(this.#pasteTakes);
      }
    }
    this.#done();
  }

  // One character at a time; all that follows waits behind it.
  #digest(text) {
    const [first] = text;
    if (text.length > first.length) this.again({ type: 'text', text: text.slice(first.length) });
    this.#busy(this.#slow, () => this.#handle({ type: 'text', text: first }));
  }

  #busy(ms, then = () => {}) {
    this.#digesting = true;
    setTimeout(() => {
      this.#digesting = false;
      then();
      this.#drain();
    }, ms);
  }
}
