// An approval dialog that stands where the box was: Enter approves, Escape denies, the draft waits behind it.
import { plainRow } from './frame.mjs';
import { logEvent } from './log.mjs';

const ANSWER = { 1: 'approve', y: 'approve', enter: 'approve', 2: 'deny', n: 'deny', escape: 'deny' };
const ROWS = ['Allow this command?', '❯ 1. Yes', '  2. No', ''];

export class Dialog {
  #print;
  open = false;

  constructor(print) {
    this.#print = print;
  }

  // Returns what was typed behind a hot key: it goes into the box, as it does in real agents.
  handle(event) {
    if (event.type === 'key') this.#key(event.name);
    if (event.type !== 'text') return null;
    const chars = [...event.text];
    while (chars.length && this.open) this.#key(chars.shift());
    return chars.length ? { type: 'text', text: chars.join('') } : null;
  }

  answer(answer) {
    this.open = false;
    logEvent(answer);
    this.#print([answer === 'approve' ? 'approved' : 'denied']);
  }

  frame(cols) {
    return { rows: ROWS.map((text) => plainRow(text, cols)), caret: { row: 3, col: 0 }, cursor: false };
  }

  #key(name) {
    const answer = ANSWER[name];
    if (answer) this.answer(answer);
  }
}
