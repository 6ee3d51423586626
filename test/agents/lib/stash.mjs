// One slot for a draft that is put aside; it comes back by itself after the next submit.
export class Stash {
  #saved = null;

  get taken() {
    return this.#saved !== null;
  }

  get text() {
    return this.#saved?.expanded ?? null;
  }

  // A draft goes into the slot and pushes out what was there; on a blank box the slot is emptied into it.
  press(buffer) {
    if (buffer.text.trim() === '') return this.restore(buffer);
    this.#saved = buffer.save();
    buffer.clear();
  }

  restore(buffer) {
    if (!this.#saved) return;
    buffer.load(this.#saved);
    this.#saved = null;
  }
}
