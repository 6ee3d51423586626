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
  #keys;

  // home, end, kill: 'line' (ends with a newline) or 'row' (of the screen, as rows() tells them).
  constructor({
    home = 'line',
    end = 'line',
    kill = 'line',
    killJoins = true,
    backspaceJoins = true,
    rows = () => [{ start: 0, end: this.text.length }],
  } = {}) {
    this.#keys = { home, end, kill, killJoins, backspaceJoins, rows };
  }

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
    return this.#replaced(this.text, 'text');
  }

  // The text with every collapsed paste as its label.
  labelled() {
    return this.#replaced(this.text, 'label');
  }

  // Where the caret is in the expanded text.
  expandedCaret() {
    return this.#replaced(this.text.slice(0, this.cursor), 'text').length;
  }

  clear() {
    this.text = '';
    this.cursor = 0;
    this.#pastes.clear();
  }

  replace(text) {
    this.clear();
    this.insert(text);
  }

  save() {
    return { text: this.text, cursor: this.cursor, pastes: new Map(this.#pastes), expanded: this.expanded() };
  }

  load({ text, cursor, pastes }) {
    this.text = text;
    this.cursor = cursor;
    this.#pastes = new Map(pastes);
  }

  left() {
    this.cursor = this.#before(this.cursor);
  }

  right() {
    this.cursor = this.#after(this.cursor);
  }

  home() {
    this.cursor = this.#start(this.#keys.home);
  }

  // The end of a wrapped row is the start of the next one: pressed again it goes on.
  end() {
    this.cursor = this.#end(this.#keys.end);
  }

  backspace() {
    if (this.text[this.cursor - 1] === '\n' && !this.#keys.backspaceJoins) return;
    this.#splice(this.#before(this.cursor), this.cursor);
  }

  delete() {
    this.#splice(this.cursor, this.#after(this.cursor));
  }

  // At the start the newline before it goes.
  killToStart() {
    const start = this.#start(this.#keys.kill);
    this.#splice(start < this.cursor ? start : this.#before(this.cursor), this.cursor);
  }

  killToEnd() {
    const end = this.#end(this.#keys.kill);
    if (end > this.cursor) this.#splice(this.cursor, end);
    else if (this.#keys.killJoins) this.#splice(this.cursor, this.#after(this.cursor));
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

  #replaced(text, field) {
    if (this.#pastes.size === 0) return text;
    let out = '';
    for (const ch of text) out += this.#pastes.get(ch)?.[field] ?? ch;
    return out;
  }

  #start(of) {
    if (of === 'row') return this.#row().start;
    return this.cursor === 0 ? 0 : this.text.lastIndexOf('\n', this.cursor - 1) + 1;
  }

  #end(of) {
    if (of === 'row') return this.#row().end;
    const i = this.text.indexOf('\n', this.cursor);
    return i < 0 ? this.text.length : i;
  }

  #row() {
    return this.#keys.rows().findLast(({ start }) => start <= this.cursor);
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
