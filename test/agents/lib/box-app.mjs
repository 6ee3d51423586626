// The input box program: reads keys and pastes, edits a draft, submits it on Enter.
import { EditBuffer } from './buffer.mjs';
import { editKey } from './edit-keys.mjs';
import { BoxView, plainRow, ruleRow, spinnerRow, statusRow } from './frame.mjs';
import { Input } from './input.mjs';
import { logEvent } from './log.mjs';
import { Screen } from './screen.mjs';
import { exitOnSignals } from './signals.mjs';
import { Turns } from './turns.mjs';

const SPIN = 100;
const QUIT_WAIT = 2000;

export class BoxApp {
  buffer = new EditBuffer();
  #view = new BoxView();
  #input = new Input(
    (event) => (event.type === 'report' ? this.screen.report(event) : this.handle(event)),
    () => this.redraw(),
  );
  #started = false;
  #due = false;
  #tick = 0;
  #tear = null;
  #lastInsert = -Infinity;
  #lastQuit = -Infinity;

  constructor(options) {
    this.options = options;
    this.screen = new Screen(options);
    this.turns = new Turns({
      ms: options.busy,
      onStart: (text) => this.screen.print(`you: ${text}`.split('\n').map((l, i) => (i ? `  ${l}` : l))),
      onEnd: (text) => {
        this.screen.print([`bot: ok ${[...text].length} chars`]);
        this.#input.listen();
        this.redraw();
      },
    });
  }

  run() {
    process.on('exit', (code) => this.#leave(code));
    exitOnSignals();
    // A terminal that went away must not end in a stack trace.
    process.stdout.on('error', () => {});
    setTimeout(() => this.start(), this.options.startDelay);
  }

  start() {
    // In raw mode the input only ends when the terminal hangs up, as SIGHUP tells too.
    this.#input.start(() => process.exit(129));
    this.#started = true;
    this.screen.start();
    this.screen.paint(this.frame());
    process.stdout.on('resize', () => this.screen.resize(() => this.screen.paint(this.frame())));
    setInterval(() => this.turns.busy && this.redraw(), SPIN);
    if (this.options.redraw) setInterval(() => this.#repaint(), this.options.redraw);
    logEvent('ready');
  }

  // One paint for all the events of a read.
  redraw() {
    if (this.#due) return;
    this.#due = true;
    setImmediate(() => {
      this.#due = false;
      clearTimeout(this.#tear);
      this.screen.paint(this.frame());
    });
  }

  handle(event) {
    if (event.type === 'key') this.#key(event.name);
    else this.#insert(event);
  }

  submit(text) {
    logEvent('submit', { text });
    this.turns.submit(text);
    if (text === '/crash') process.exit(3);
    if (this.options.ignoreInput && this.turns.busy) this.#input.deafen(this.options.ignoreInput);
  }

  frame() {
    const { cols, rows: height } = this.screen;
    const { prompt, placeholder, rules, redraw } = this.options;
    const box = this.#view.compose(this.buffer, {
      cols,
      maxRows: Math.floor(height / 2),
      prompt,
      placeholder,
    });
    const above = [];
    if (this.turns.busy) above.push(spinnerRow(this.turns.elapsed(), cols));
    if (this.turns.queue.length) above.push(plainRow(`queued: ${this.turns.queue.length}`, cols));
    if (rules) above.push(ruleRow(cols));
    const below = rules ? [ruleRow(cols)] : [];
    if (redraw) below.push(statusRow(this.#tick, cols));
    const caret = { row: above.length + box.caret.row, col: box.caret.col };
    return { rows: [...above, ...box.rows, ...below], caret, cursor: true };
  }

  #key(name) {
    if (name === 'C-c') this.#quit();
    else if (name === 'C-d' && this.buffer.empty) process.exit(0);
    else if (name === 'enter') this.#enter();
    else editKey(this.buffer, name);
  }

  #enter() {
    if (Date.now() - this.#lastInsert < this.options.enterGap) return this.buffer.insert('\n');
    if (this.buffer.empty) return;
    const text = this.buffer.expanded();
    this.buffer.clear();
    this.submit(text);
  }

  #quit() {
    if (Date.now() - this.#lastQuit < QUIT_WAIT) process.exit(0);
    this.#lastQuit = Date.now();
    this.buffer.clear();
  }

  #insert({ type, text }) {
    const { collapse = Infinity } = this.options;
    const long = text.length > collapse || (collapse < Infinity && text.split('\n').length > 3);
    if (long && type === 'paste') this.buffer.insertCollapsed(text);
    else this.buffer.insert(text);
    this.#lastInsert = Date.now();
    this.#lastQuit = -Infinity;
  }

  // Leaves the cursor on the status row for a moment, as a slow painter does.
  #repaint() {
    this.#tick++;
    if (!this.options.tear) return this.redraw();
    this.screen.paintRowFromBottom(0, statusRow(this.#tick, this.screen.cols));
    clearTimeout(this.#tear);
    this.#tear = setTimeout(() => this.redraw(), this.options.tear);
  }

  #leave(code) {
    try {
      if (this.#started) this.screen.stop();
      if (this.#started) this.#input.stop();
    } catch {
      // The terminal is gone: there is nothing to restore.
    }
    logEvent('exit', { code });
  }
}
