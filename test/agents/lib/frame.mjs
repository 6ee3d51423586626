// Composes the rows of the block: spinner, queue, input box, status.
import { breakRows, caretCell, rowContent } from './layout.mjs';
import { cut, stringWidth } from './width.mjs';

const SPINNER = ['|', '/', '-', '\\'];

export const plainRow = (text, cols) => {
  const shown = cut(text, cols);
  return { text: shown, width: stringWidth(shown) };
};

const dimRow = (text, cols) => {
  const row = plainRow(text, cols);
  return { text: `\x1b[2m${row.text}\x1b[0m`, width: row.width };
};

export const ruleRow = (cols) => ({ text: '─'.repeat(cols), width: cols });

export const statusRow = (tick, cols) => dimRow(`status ${tick} ${'#'.repeat(tick % 10)}`, cols);

export const spinnerRow = (elapsed, cols) =>
  plainRow(`${SPINNER[Math.floor(elapsed / 100) % 4]} working ${(elapsed / 1000).toFixed(1)}s`, cols);

// The visible part of the draft; it scrolls as little as keeps the caret in view.
export class BoxView {
  #scroll = 0;
  #cache = {};

  // Returns { rows, caret } for the box alone.
  compose(buffer, { cols, maxRows, prompt, placeholder }) {
    const label = (mark) => buffer.label(mark);
    const inner = Math.max(1, cols - prompt.length);
    const indent = ' '.repeat(prompt.length);
    let all = this.#broken(buffer.text, inner, label);
    const caret = caretCell(buffer.text, all, buffer.cursor, label);
    if (caret.extra) all = all.toSpliced(caret.row, 0, { start: buffer.cursor, end: buffer.cursor });
    const shown = Math.min(all.length, Math.max(1, maxRows));
    this.#scroll = Math.min(Math.max(this.#scroll, caret.row - shown + 1), caret.row, all.length - shown);
    const rows = [];
    for (let i = this.#scroll; i < this.#scroll + shown; i++) {
      const { text, width } = rowContent(buffer.text, all[i], label);
      rows.push({ text: (i === 0 ? prompt : indent) + text, width: prompt.length + width });
    }
    if (buffer.empty && placeholder) {
      const dim = dimRow(placeholder, inner);
      rows[0] = { text: prompt + dim.text, width: prompt.length + dim.width };
    }
    return { rows, caret: { row: caret.row - this.#scroll, col: prompt.length + caret.col } };
  }

  // A long draft is broken into rows once, not for every frame.
  #broken(text, cols, label) {
    const c = this.#cache;
    if (c.text !== text || c.cols !== cols) this.#cache = { text, cols, rows: breakRows(text, cols, label) };
    return this.#cache.rows;
  }
}
