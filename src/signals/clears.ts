// Tells where a stream clears the whole screen, after which programs paint it again: searched natively, cut at any byte.

// Before the last byte of what clears.
const LONGEST = 24;
const ESC = 0x1b;
const ERASE = 0x4a;
const RESET = Buffer.from('\x1bc');
// All of it; or from the cursor on, which is all of it where the cursor was just put at the top.
const CLEAR = /\x1b\[(?:2|[01;]*[Hf].*\x1b\[0?)$/s;

export class Clears {
  // What came last.
  readonly #tail = Buffer.alloc(LONGEST);

  reset(): void {
    this.#tail.fill(0);
  }

  // Whether these bytes clear it, with what came before them.
  feed(bytes: Buffer): boolean {
    const isCleared = this.#resets(bytes) || this.#erases(bytes);
    const { length } = bytes;
    if (length < LONGEST) this.#tail.copyWithin(0, length);
    bytes.copy(this.#tail, Math.max(0, LONGEST - length), Math.max(0, length - LONGEST));
    return isCleared;
  }

  #resets(bytes: Buffer): boolean {
    return bytes.includes(RESET) || (this.#tail[LONGEST - 1] === ESC && bytes[0] === RESET[1]);
  }

  // Its last letter is rare in text.
  #erases(bytes: Buffer): boolean {
    for (let at = bytes.indexOf(ERASE); at !== -1; at = bytes.indexOf(ERASE, at + 1)) {
      const before = at < LONGEST ? this.#tail.toString('latin1', at) : '';
      if (CLEAR.test(before + bytes.toString('latin1', Math.max(0, at - LONGEST), at))) return true;
    }
    return false;
  }
}
