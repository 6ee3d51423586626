// When the screen is painted: one paint for all the events of a read, late or restless where a program is so.
export class Painter {
  #paint;
  #every;
  #due = false;
  #tear = null;
  tick = 0;

  constructor(paint, every = 0) {
    this.#paint = paint;
    this.#every = every;
  }

  now() {
    clearTimeout(this.#tear);
    this.#paint();
  }

  soon() {
    if (this.#due) return;
    this.#due = true;
    const paint = () => {
      this.#due = false;
      this.now();
    };
    if (this.#every) setTimeout(paint, this.#every);
    else setImmediate(paint);
  }

  // Paints all the time, and leaves the cursor on the status row for `tear` ms each time, as a slow painter does.
  restless(every, tear, paintStatus) {
    setInterval(() => {
      this.tick++;
      if (!tear) return this.soon();
      paintStatus(this.tick);
      clearTimeout(this.#tear);
      this.#tear = setTimeout(() => this.soon(), tear);
    }, every);
  }
}
