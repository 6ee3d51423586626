// A person at a real tmux client, with a rhythm, and a model of what their keys alone make of the input box.
import { BoxModel } from './box-model.mjs';
import { between, pick } from './random.mjs';
import { sleep } from './wait.mjs';

const BYTES = {
  Enter: '\r',
  Escape: '\x1b',
  BSpace: '\x7f',
  Up: '\x1b[A',
  Right: '\x1b[C',
  Left: '\x1b[D',
};
const bytesOf = (key) =>
  BYTES[key] ?? (/^C-.$/.test(key) ? String.fromCharCode(key.charCodeAt(2) & 0x1f) : key);

// Quick, but with gaps that no agent takes for a paste.
const SETTING_UP = [20, 40];
// As a person types.
export const TYPING = [20, 120];
// People do not press Enter within an instant of the last letter; two agents make a newline of one that comes within 50 ms.
const BEFORE_ENTER_MS = 250;
// Copilot drops keys that come within 200 ms of a paste, whoever presses them; no hand is that fast.
const AFTER_PASTE_MS = 300;
// Too short for mail that waits for a pause.
const PAUSE_MS = [300, 1500];
const LETTERS = [...'eeetttaaooinshrdlucmfwypvbgkj', 'é', 'ß', '中'];

export class Typist {
  box = new BoxModel();
  #log = [];

  // `leastGapMs`: between two keys, for a program that loses faster ones by itself.
  constructor(person, random, leastGapMs = 0) {
    this.person = person;
    this.random = random;
    this.leastGapMs = leastGapMs;
  }

  get lastKeyAt() {
    return this.#log.at(-1)?.t ?? 0;
  }

  get log() {
    return this.#log;
  }

  #send(bytes, name) {
    this.#log.push({ t: Date.now(), key: name });
    this.person.send(bytes);
  }

  async #gap(rhythm) {
    await sleep(Math.max(this.leastGapMs, between(this.random, ...rhythm)));
  }

  // Letters, and C-j for a new line.
  async type(text, rhythm = SETTING_UP) {
    for (const char of text) {
      this.#send(char, char);
      this.box.insert(char);
      await this.#gap(rhythm);
    }
  }

  // Keys that edit the box, as the model knows them.
  async edit(key, times = 1, rhythm = SETTING_UP) {
    for (let i = 0; i < times; i++) {
      this.#send(bytesOf(key), key);
      this.box.press(key);
      await this.#gap(rhythm);
    }
  }

  // Keys that are no editing: a dialog, the editor, tmux's prefix.
  async press(...keys) {
    for (const key of keys) {
      this.#send(bytesOf(key), `<${key}>`);
      await this.#gap(SETTING_UP);
    }
  }

  // A paste that agents show as a placeholder.
  async pasteWhole(text) {
    this.#send(`\x1b[200~${text}\x1b[201~`, `<paste of ${text.length}>`);
    this.box.insertWhole(text);
    await sleep(AFTER_PASTE_MS);
  }

  // A prompt of the person's own.
  async submit(text) {
    await this.type(text);
    await this.enter();
  }

  async enter() {
    await sleep(BEFORE_ENTER_MS);
    await this.edit('Enter');
  }

  // Types on until `done`, editing only what it has typed itself, so that the draft before it stays as the set-up left it.
  async typeOn(done, { rhythm = TYPING, pauses = 0, pauseMs = PAUSE_MS, enters = 0 } = {}) {
    let own = 0;
    let behind = 0;
    while (!done()) {
      const dice = this.random();
      const inside = own - behind;
      if (dice < enters && this.box.length > 8) {
        await this.enter();
        await sleep(between(this.random, 200, 600));
        own = behind = 0;
      } else if (dice < enters + pauses) await sleep(between(this.random, ...pauseMs));
      else if (dice > 0.95 && inside > 0) {
        await this.edit('Left', 1, rhythm);
        behind++;
      } else if (dice > 0.9 && behind > 0) {
        await this.edit('Right', 1, rhythm);
        behind--;
      } else if (dice > 0.82 && inside > 0) {
        await this.edit('BSpace', 1, rhythm);
        own--;
      } else {
        // Two spaces in a row, or one at the start, are corrected by some agents.
        await this.type(
          dice > 0.7 && inside > 0 ? ` ${pick(this.random, LETTERS)}` : pick(this.random, LETTERS),
          rhythm,
        );
        own += dice > 0.7 && inside > 0 ? 2 : 1;
      }
    }
  }
}
