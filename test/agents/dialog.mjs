// A fake agent: an input box that an approval dialog can replace (SIGUSR1 or --dialog-after MS).
import { BoxApp } from './lib/box-app.mjs';
import { plainRow } from './lib/frame.mjs';
import { logEvent } from './lib/log.mjs';
import { parseBoxOptions } from './lib/options.mjs';

const ANSWER = { 1: 'approve', y: 'approve', enter: 'approve', 2: 'deny', n: 'deny', escape: 'deny' };

class DialogApp extends BoxApp {
  #open = false;
  #running = false;

  start() {
    super.start();
    this.#running = true;
    const after = this.options.num('dialog-after', 0);
    if (after) setTimeout(() => this.open(), after);
  }

  open() {
    // Before the box is drawn there is no screen to draw on.
    if (this.#open || !this.#running) return;
    this.#open = true;
    this.screen.paint(this.frame());
    logEvent('dialog');
  }

  handle(event) {
    if (!this.#open) return super.handle(event);
    if (event.type === 'key') this.#answer(event.name);
    if (event.type !== 'text') return;
    const chars = [...event.text];
    while (chars.length && this.#open) this.#answer(chars.shift());
    // What was typed behind the hot key goes into the box, as it does in real agents.
    if (chars.length) super.handle({ type: 'text', text: chars.join('') });
  }

  frame() {
    if (!this.#open) return super.frame();
    const rows = ['Allow this command?', '❯ 1. Yes', '  2. No', ''].map((t) => plainRow(t, this.screen.cols));
    return { rows, caret: { row: 3, col: 0 }, cursor: false };
  }

  #answer(name) {
    const answer = ANSWER[name];
    if (!answer) return;
    this.#open = false;
    logEvent(answer);
    this.screen.print([answer === 'approve' ? 'approved' : 'denied']);
  }
}

const app = new DialogApp(parseBoxOptions(process.argv.slice(2), { 'dialog-after': { type: 'string' } }));
// A signal before the box is drawn must not end the program.
process.on('SIGUSR1', () => app.open());
app.run();
