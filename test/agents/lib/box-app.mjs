// The input box program: reads keys and pastes, edits a draft, submits it on Enter.
import { EditBuffer } from './buffer.mjs';
import { Dialog } from './dialog.mjs';
import { editKey } from './edit-keys.mjs';
import { Chord, editDraft } from './editor.mjs';
import { BoxView, plainRow, ruleRow, spinnerRow, statusRow } from './frame.mjs';
import { Input } from './input.mjs';
import { breakRows } from './layout.mjs';
import { logEvent } from './log.mjs';
import { Painter } from './painter.mjs';
import { Screen } from './screen.mjs';
import { exitOnSignals } from './signals.mjs';
import { Stash } from './stash.mjs';
import { Turns } from './turns.mjs';

const SPIN = 100;
const QUIT_WAIT = 2000;

export class BoxApp {
  #view = new BoxView();
  #stash = new Stash();
  #dialog = new Dialog((lines) => this.screen.print(lines));
  #input;
  #painter;
  #editorKeys;
  #started = false;
  #flushesUntil = 0;
  #deafUntil = 0;
  #painted = '';
  #lastInsert = -Infinity;
  #lastQuit = -Infinity;

  constructor(options) {
    this.options = options;
    this.buffer = new EditBuffer({ ...options, rows: () => this.#rows() });
    this.screen = new Screen(options);
    this.#painter = new Painter(() => this.screen.paint(this.frame()), options.paintEvery);
    this.#editorKeys = new Chord(options.editor);
    this.#input = new Input(
      (event) => (event.type === 'report' ? this.screen.report(event) : this.handle(event)),
      () => this.redraw(),
      options,
    );
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
    process.on('SIGUSR1', () => this.openDialog());
    // What was read before the signal is digested first.
    process.on('SIGUSR2', () => setImmediate(() => this.#tell()));
    // A terminal that went away must not end in a stack trace.
    process.stdout.on('error', () => {});
    setTimeout(() => this.start(), this.options.startDelay);
  }

  start() {
    // In raw mode the input only ends when the terminal hangs up, as SIGHUP tells too.
    this.#input.start(() => process.exit(129));
    this.#started = true;
    this.screen.start();
    this.#painter.now();
    process.stdout.on('resize', () => this.screen.resize(() => this.#painter.now()));
    setInterval(() => this.turns.busy && this.redraw(), SPIN);
    const { redraw, tear, dialogAfter } = this.options;
    const status = (tick) => this.screen.paintRowFromBottom(0, statusRow(tick, this.screen.cols));
    if (redraw) this.#painter.restless(redraw, tear, status);
    if (dialogAfter) setTimeout(() => this.openDialog(), dialogAfter);
    logEvent('ready', { pid: process.pid });
  }

  redraw() {
    this.#painter.soon();
  }

  openDialog() {
    // Before the box is drawn there is no screen to draw on.
    if (this.#dialog.open || !this.#started) return;
    this.#dialog.open = true;
    this.#painter.now();
    logEvent('dialog');
  }

  handle(event) {
    if (Date.now() < this.#flushesUntil) return;
    if (this.#dialog.open) return this.#answer(event);
    if (Date.now() < this.#deafUntil && event.name === this.options.editor[0]) return;
    const { kind, rest } = this.#editorKeys.take(event);
    if (kind === 'none' && event.type === 'key') this.#key(event.name);
    else if (kind === 'none') this.#insert(event);
    if (rest) this.#input.again(rest);
    if (kind === 'done') this.#openEditor();
  }

  submit(text) {
    logEvent('submit', { text });
    this.#deafUntil = Date.now() + this.options.editorDeaf;
    this.turns.submit(text);
    if (text === '/crash') process.exit(3);
    if (this.options.ignoreInput && this.turns.busy) this.#input.deafen(this.options.ignoreInput);
  }

  frame() {
    const { cols, rows: height } = this.screen;
    if (this.#dialog.open) return this.#dialog.frame(cols);
    this.#painted = this.buffer.text;
    const { prompt, placeholder, rules, redraw, boxRows } = this.options;
    const box = this.#view.compose(this.buffer, {
      cols,
      maxRows: boxRows ?? Math.floor(height / 2),
      prompt,
      placeholder,
    });
    const above = [];
    if (this.turns.busy) above.push(spinnerRow(this.turns.elapsed(), cols));
    if (this.turns.queue.length) above.push(plainRow(`queued: ${this.turns.queue.length}`, cols));
    if (this.#stash.taken) above.push(plainRow('› stashed', cols));
    if (rules) above.push(ruleRow(cols));
    const below = rules ? [ruleRow(cols)] : [];
    if (redraw) below.push(statusRow(this.#painter.tick, cols));
    const rows = [...above, ...box.rows, ...below];
    if (this.options.cursorBelow)
      return { rows: [...rows, plainRow('', cols)], caret: { row: rows.length, col: 0 }, cursor: false };
    return { rows, caret: { row: above.length + box.caret.row, col: box.caret.col }, cursor: true };
  }

  #key(name) {
    if (name === 'C-c') this.#quit();
    else if (name === this.options.stash) this.#stash.press(this.buffer);
    else if (name === 'C-d' && this.buffer.empty && !this.options.letters) process.exit(0);
    else if (name === 'enter' || (name === 'tab' && this.options.submitTab)) this.#enter();
    else editKey(this.buffer, name, this.options);
  }

  #answer(event) {
    const cancels = this.options.editorCancelsDialog && this.#editorKeys.take(event).kind === 'done';
    if (cancels) return this.#dialog.answer('deny');
    const rest = this.#dialog.handle(event);
    if (rest) this.handle(rest);
  }

  #openEditor() {
    const { editorDelay } = this.options;
    if (!editorDelay) return this.#edit();
    this.#input.hold();
    setTimeout(() => {
      if (!this.#dialog.open) this.#edit();
      this.#input.release();
    }, editorDelay);
  }

  #edit() {
    this.#input.raw(false);
    this.screen.handOver();
    if (this.options.editorPainted) this.buffer.replace(this.#painted);
    editDraft(this.buffer, this.options, () => this.redraw());
    if (this.options.editorBack)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, this.options.editorBack);
    this.#input.raw(true);
    this.screen.takeBack();
    this.#flushesUntil = Date.now() + this.options.editorFlushes;
    this.redraw();
  }

  #tell() {
    logEvent('draft', {
      text: this.buffer.expanded(),
      caret: this.buffer.expandedCaret(),
      stash: this.#stash.text,
    });
  }

  #rows() {
    const cols = Math.max(1, this.screen.cols - this.options.prompt.length);
    return breakRows(this.buffer.text, cols, (mark) => this.buffer.label(mark));
  }

  #enter() {
    if (Date.now() - this.#lastInsert < this.options.enterGap) return this.buffer.insert('\n');
    if (this.buffer.empty) return;
    const text = this.buffer.expanded();
    const { submitClears } = this.options;
    if (submitClears) setTimeout(() => this.#cleared(), submitClears);
    else this.buffer.clear();
    this.submit(text);
    this.#stash.restore(this.buffer);
  }

  #cleared() {
    this.buffer.clear();
    this.redraw();
  }

  #quit() {
    const { ctrlC } = this.options;
    if (ctrlC === 'exit-twice' && Date.now() - this.#lastQuit < QUIT_WAIT) process.exit(0);
    if (ctrlC === 'exit-empty' && this.buffer.empty) process.exit(0);
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

  #leave(code) {
    try {
      if (this.#started) this.screen.stop();
      if (this.#started) this.#input.raw(false);
    } catch {
      // The terminal is gone: there is nothing to restore.
    }
    logEvent('exit', { code });
  }
}
