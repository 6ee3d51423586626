// What an input box must hold after a person's keys, and nothing but them.

export class BoxModel {
  // One element a character; a paste that agents collapse is one element too, as one Backspace takes all of it.
  #cells = [];
  caret = 0;
  // What the person submitted, in order.
  submitted = [];

  get length() {
    return this.#cells.length;
  }

  // `shown`: what an agent's own editor hands over for a collapsed paste, where that is not its text.
  text(shown = new Map()) {
    return this.#cells.map((cell) => shown.get(cell) ?? cell).join('');
  }

  insert(text) {
    const cells = [...text];
    this.#cells.splice(this.caret, 0, ...cells);
    this.caret += cells.length;
  }

  insertWhole(text) {
    this.#cells.splice(this.caret, 0, text);
    this.caret += 1;
  }

  press(key) {
    if (key === 'Left') this.caret = Math.max(0, this.caret - 1);
    else if (key === 'Right') this.caret = Math.min(this.#cells.length, this.caret + 1);
    else if (key === 'BSpace') {
      if (this.caret > 0) this.#cells.splice(--this.caret, 1);
    } else if (key === 'C-j') this.insert('\n');
    else if (key === 'Enter') {
      this.submitted.push(this.text());
      this.clear();
    } else throw new Error(`no model of the key ${key}`);
  }

  clear() {
    this.#cells = [];
    this.caret = 0;
  }
}
