// Draws a block of rows at the bottom of the terminal, with a transcript that scrolls above it.
import { breakRows, rowContent } from './layout.mjs';

const REPORT_WAIT = 300;
// Lines of the transcript kept to draw it again: more than a screen has.
const KEPT = 200;
const at = (row, col = 1) => `\x1b[${row};${col}H`;

export class Screen {
  #alt;
  #height = 0;
  // Blank rows between the transcript and the block, left over when the block got smaller.
  #gap = 0;
  #out = '';
  #drawn = { rows: [], caret: { row: 0, col: 0 } };
  #resized = null;
  #transcript = [];

  constructor({ alt = false } = {}) {
    this.#alt = alt;
  }

  rows = 24;
  cols = 80;

  start() {
    this.#measure();
    this.#write((this.#alt ? '\x1b[?1049h\x1b[H' : '') + '\x1b[?2004h');
  }

  // Leaves the terminal as it was found, with the cursor below the block.
  stop() {
    const below = this.#alt ? '\x1b[?1049l' : at(this.rows) + '\r\n';
    this.#write('\x1b[?2004l\x1b[?25h\x1b[0m' + below);
  }

  // Leaves an empty screen and the terminal's usual modes to another program.
  handOver() {
    this.#write(this.#erase(1, this.rows) + '\x1b[?2004l\x1b[?25h' + (this.#alt ? '\x1b[?1049l' : at(1)));
  }

  // Draws all but the block again after another program had the screen; the block comes with the next paint.
  takeBack() {
    this.#write((this.#alt ? '\x1b[?1049h' : '') + '\x1b[?2004h');
    this.#out += this.#erase(1, this.rows);
    const bottom = this.rows - this.#height - this.#gap;
    this.#lastRows(bottom).forEach((text, i, all) => {
      this.#out += at(bottom - all.length + 1 + i) + text;
    });
  }

  // Adds lines to the transcript; they reach the terminal with the next paint.
  print(lines) {
    // Where the transcript ends is not known until the terminal has answered.
    if (this.#resized) {
      this.#resized.lines = this.#resized.lines.concat(lines);
      return;
    }
    this.#transcript = [...this.#transcript, ...lines].slice(-KEPT);
    const top = this.rows - this.#height + 1 - this.#gap;
    this.#out += this.#erase(top, this.rows) + at(top);
    let used = 0;
    for (const line of lines) {
      this.#out += rowContent(line, { start: 0, end: line.length }).text + '\r\n';
      used += breakRows(line, this.cols).length;
    }
    if (used <= this.#gap) this.#gap -= used;
    else {
      this.#gap = 0;
      this.#out += '\n'.repeat(this.#height - 1);
    }
  }

  // frame: { rows: [{ text, width }], caret: { row, col }, cursor: shown or not }
  paint(frame) {
    if (this.#resized) return;
    const rows = frame.rows.slice(-this.rows);
    const caret = {
      row: Math.max(0, frame.caret.row - (frame.rows.length - rows.length)),
      col: frame.caret.col,
    };
    this.#fit(rows.length);
    const top = this.rows - rows.length + 1;
    rows.forEach((row, i) => {
      // Erasing right of a row that fills the width could hit its last cell.
      this.#out += at(top + i) + row.text + '\x1b[0m' + (row.width < this.cols ? '\x1b[K' : '');
    });
    this.#drawn = { rows, caret };
    this.#write(at(top + caret.row, caret.col + 1) + (frame.cursor ? '\x1b[?25h' : '\x1b[?25l'));
  }

  // Paints one row, counted from the bottom, and leaves the cursor there.
  paintRowFromBottom(n, row) {
    if (this.#resized) return;
    this.#drawn.caret = { row: this.#drawn.rows.length - 1 - n, col: row.width };
    this.#write(`${at(this.rows - n)}${row.text}\x1b[0m\x1b[K`);
  }

  // After a resize only the terminal knows where the block went: its cursor is asked for.
  resize(repaint) {
    this.#measure();
    clearTimeout(this.#resized?.timer);
    const lines = this.#resized?.lines ?? [];
    const timer = setTimeout(() => this.report({ row: this.rows }), REPORT_WAIT);
    this.#resized = { timer, repaint, lines };
    this.#write('\x1b[6n');
  }

  report({ row }) {
    if (!this.#resized) return;
    const { timer, repaint, lines } = this.#resized;
    clearTimeout(timer);
    this.#resized = null;
    const { rows, caret } = this.#drawn;
    // On the normal screen tmux breaks rows that no longer fit.
    const broken = (width) => (this.#alt ? 1 : Math.max(1, Math.ceil(width / this.cols)));
    let top = row - (this.#alt ? 0 : Math.floor(caret.col / this.cols));
    for (const r of rows.slice(0, caret.row)) top -= broken(r.width);
    top = Math.max(1, top);
    this.#gap = Math.min(this.#gap, top - 1);
    this.#height = this.rows - top + 1;
    this.#out += this.#erase(top, this.rows);
    if (lines.length) this.print(lines);
    repaint();
  }

  // Makes room for a block of another height.
  #fit(height) {
    const more = height - this.#height;
    if (more > 0) {
      const scroll = Math.max(0, more - this.#gap);
      this.#gap -= more - scroll;
      // The first block scrolls from where the cursor was found: what stands above it is not ours.
      if (scroll) this.#out += (this.#height ? at(this.rows) : '') + '\n'.repeat(scroll);
    } else if (more < 0) {
      this.#out += this.#erase(this.rows - this.#height + 1, this.rows - height);
      this.#gap -= more;
    }
    this.#height = height;
  }

  // The last rows of the transcript, at most so many.
  #lastRows(count) {
    const out = [];
    for (const line of this.#transcript.toReversed()) {
      const rows = breakRows(line, this.cols).toReversed();
      for (const row of rows) if (out.length < count) out.push(rowContent(line, row).text);
      if (out.length >= count) break;
    }
    return out.reverse();
  }

  // Row by row: tmux saves a screen cleared from its first cell to the scrollback.
  #erase(from, to) {
    let out = '';
    for (let r = from; r <= to; r++) out += at(r) + '\x1b[2K';
    return out;
  }

  #measure() {
    this.rows = process.stdout.rows || 24;
    this.cols = process.stdout.columns || 80;
  }

  #write(text) {
    process.stdout.write(this.#out + text);
    this.#out = '';
  }
}
