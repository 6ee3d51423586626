// The editable text of an input box, with a cursor; collapsed pastes are one character each.
import { charWidth } from './width.mjs';

const isLow = (code) => code >= 0xdc00 && code <= 0xdfff;
const isHigh = (code) => code >= 0xd800 && code <= 0xdbff;

export class EditBuffer {
  text = '';
  cursor = 0;
  // Decoded input holds no lone surrogates, so a lone low one can stand for a collapsed paste.
  #pastes = new Map();
  #count = 0;

  get empty() {
    return this.text === '';
  }

  insert(text) {
    this.#splice(this.cursor, this.cursor, text);
  }

  insertCollapsed(text) {
    const mark = String.fromCharCode(0xdc00 + (this.#count++ % 1024));
    const lines = text.split('\n').length - 1;
    this.#pastes.set(mark, { text, label: `[Pasted text #${this.#count} +${lines} lines]` });
    this.insert(mark);
  }

  label(mark) {
    return this.#pastes.get(mark)?.label;
  }

  // The text with every collapsed paste in full.
  expanded() {
    if (this.#pastes.size === 0) return this.text;
    let out = '';
    for (const ch of this.text) out += this.#pastes.get(ch)?.text ?? ch;
    return out;
  }

  clear() {
    this.text = '';
    this.cursor = 0;
    this.#pastes.clear();
  }

  left() {
    this.cursor = this.#before(this.cursor);
  }

  right() {
    this.cursor = this.#after(this.cursor);
  }

  home() {
    this.cursor = this.#lineStart();
  }

  end() {
    this.cursor = this.#lineEnd();
  }

  backspace() {
    this.#splice(this.#before(this.cursor), this.cursor);
  }

  delete() {
    this.#splice(this.cursor, this.#after(this.cursor));
  }

  // At the edge of a line the kill keys take the newline.
  killToStart() {
    const start = this.#lineStart();
    this.#splice(start < this.cursor ? start : this.#before(this.cursor), this.cursor);
  }

  killToEnd() {
    const end = this.#lineEnd();
    this.#splice(this.cursor, end > this.cursor ? end : this.#after(this.cursor));
  }

  killWord() {
    let i = this.cursor;
    while (i > 0 && /\s/.test(this.text[i - 1])) i--;
    while (i > 0 && !/\s/.test(this.text[i - 1])) i--;
    this.#splice(i, this.cursor);
  }

  #splice(from, to, text = '') {
    this.text = this.text.slice(0, from) + text + this.text.slice(to);
    this.cursor = from + text.length;
  }

  #lineStart() {
    return this.cursor === 0 ? 0 : this.text.lastIndexOf('\n', this.cursor - 1) + 1;
  }

  #lineEnd() {
    const i = this.text.indexOf('\n', this.cursor);
    return i < 0 ? this.text.length : i;
  }

  #zeroWidthAt(i) {
    return i < this.text.length && this.text[i] !== '\n' && charWidth(this.text.codePointAt(i)) === 0;
  }

  // Combining marks go with the character they stand on.
  #before(i) {
    if (i === 0) return 0;
    do {
      i--;
      if (i > 0 && isLow(this.text.charCodeAt(i)) && isHigh(this.text.charCodeAt(i - 1))) i--;
    } while (i > 0 && this.#zeroWidthAt(i));
    return i;
  }

  #after(i) {
    if (i >= this.text.length) return i;
    do i += this.text.codePointAt(i) > 0xffff ? 2 : 1;
    while (this.#zeroWidthAt(i));
    return i;
  }
}
