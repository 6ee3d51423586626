// Output that waits its turn, so much of it and no more; and whether some had to be dropped behind it.

// About thirty thousand markers.
export const MOST_HELD = 1 << 20;

export class HeldOutput {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #isOverrun = false;

  get isEmpty(): boolean {
    return this.#chunks.length === 0 && !this.#isOverrun;
  }

  put(data: Buffer): void {
    // What follows a gap is not held either: it would be taken for what came right after.
    this.#isOverrun ||= this.#bytes + data.length > MOST_HELD;
    if (this.#isOverrun) return;
    this.#chunks.push(data);
    this.#bytes += data.length;
  }

  // In the order in which it came; `dropped` once, behind the last of it.
  take(): Buffer | 'dropped' | undefined {
    const data = this.#chunks.shift();
    if (data) {
      this.#bytes -= data.length;
      return data;
    }
    if (!this.#isOverrun) return undefined;
    this.#isOverrun = false;
    return 'dropped';
  }

  // Some that would have come next never did.
  cut(): void {
    this.#isOverrun = true;
  }
}
