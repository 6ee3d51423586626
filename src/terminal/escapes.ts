// What the bytes of a terminal's stream do to its text: one pass over every ECMA-48 family, cut at any byte.
import { csiEffect } from './csi.js';

// Told what the bytes do, in their order.
export interface TextSink {
  // Printable characters in UTF-8; a character may come in two calls.
  text(bytes: Uint8Array, from: number, to: number): void;
  // Cursor forward, tabs.
  spaces(count: number): void;
  // Line feeds, and cursor down.
  newlines(count: number): void;
  carriageReturn(): void;
  // Something inside the cursor's line was moved over or erased: what came since its start is not what it shows.
  lineChanged(): void;
  // The cursor left its line other than by a line feed, or more than its line was erased or moved.
  screenChanged(): void;
}

// No real program moves further in one step, and a parameter is whatever a program says it is.
export const MOST_REPEATS = 1000;

enum State {
  Ground,
  Escape,
  EscapeIntermediate,
  Csi,
  CsiIgnored,
  Osc,
  // Up to ST and nothing else: inside of it tmux takes an ESC that begins no ST for a part of it.
  Dcs,
  DcsEscape,
  // APC, PM, SOS and the title of screen.
  Text,
}

const ESC = 0x1b;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
const ST = 0x9c;
const BACKSLASH = 0x5c;
// The first byte of U+0080 to U+00BF, of which the first half are controls.
const C2 = 0xc2;
const LEAD = Uint8Array.of(C2);
const LINE_DRAWING = 0x30;
const DASH = new Uint8Array(256).fill(0x2d);

export class EscapeScanner {
  #state: State = State.Ground;
  // How many bytes of a UTF-8 character are still to come: in them 0x80 to 0x9f are no controls.
  #need = 0;
  #isAfterC2 = false;
  #charsets = [0, 0];
  #shift = 0;
  // Of the sequence that is being read.
  #prefix = 0;
  #first = 0;
  #isFirst = true;
  #intermediate = 0;
  #last = 0;
  // Where in the bytes the one stands that is read now.
  offset = 0;
  // A sequence that hides what follows has begun since this was last set to false.
  sawString = false;
  // Where the last sequence began, of these bytes or of some before.
  began = 0;

  constructor(readonly sink: TextSink) {}

  get isInSequence(): boolean {
    return this.#state !== State.Ground;
  }

  // In the middle of a sequence that hides what follows until it ends.
  get isInString(): boolean {
    return this.#state >= State.Osc;
  }

  // Gives up a sequence that has not ended: tmux does so after a while.
  reset(): void {
    this.#state = State.Ground;
    this.#need = 0;
    this.#isAfterC2 = false;
  }

  scan(bytes: Uint8Array): void {
    const { length } = bytes;
    let at = 0;
    while (at < length) {
      if (this.#state === State.Ground && !this.#isAfterC2) {
        at = this.#run(bytes, at);
        if (at === length) return;
        const end = bytes[at] === ESC ? styleEnd(bytes, at) : 0;
        if (end > 0) {
          at = end;
          continue;
        }
      }
      this.offset = at;
      this.#byte(bytes[at++] as number);
    }
  }

  // As `scan`, for whoever wants to know of no text: of what is told, only what sequences that begin with ESC do counts.
  skim(bytes: Uint8Array): void {
    const { length } = bytes;
    let at = 0;
    while (at < length) {
      if (this.#state === State.Ground) {
        while (at < length && bytes[at] !== ESC) at++;
        if (at === length) return;
        const end = styleEnd(bytes, at);
        if (end > 0) {
          at = end;
          continue;
        }
      }
      this.offset = at;
      this.#byte(bytes[at++] as number);
    }
  }

  // Passes on what is printable; returns where something else begins.
  #run(bytes: Uint8Array, from: number): number {
    const { length } = bytes;
    let need = this.#need;
    let at = from;
    for (; at < length; at++) {
      const byte = bytes[at] as number;
      if (byte < 0x80) {
        if (byte < 0x20 || byte === 0x7f) break;
        need = 0;
      } else if (byte < 0xc0) {
        if (need > 0) need--;
        else if (byte < 0xa0) break;
      } else if (byte === C2) break;
      else need = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    }
    this.#need = at < length ? 0 : need;
    if (at > from) {
      this.#last = bytes[at - 1] as number;
      this.#print(bytes, from, at);
    }
    return at;
  }

  #print(bytes: Uint8Array, from: number, to: number): void {
    if (this.#charsets[this.#shift] !== LINE_DRAWING) this.sink.text(bytes, from, to);
    else
      for (let at = from; at < to; at += DASH.length) this.sink.text(DASH, 0, Math.min(DASH.length, to - at));
  }

  #byte(byte: number): void {
    if (this.#isAfterC2) {
      this.#isAfterC2 = false;
      if (byte >= 0x80 && byte < 0xa0) {
        this.#control(byte);
        return;
      }
      if (this.#state === State.Ground) {
        this.sink.text(LEAD, 0, 1);
        this.#need = 1;
        if (byte >= 0x80 && byte < 0xc0) {
          this.#need = 0;
          this.#last = byte;
          this.sink.text(Uint8Array.of(byte), 0, 1);
          return;
        }
      }
    }
    if (byte >= 0x80) {
      if (byte < 0xc0 && this.#need > 0) this.#need--;
      else if (byte === C2) this.#isAfterC2 = true;
      else if (byte >= 0xc0) this.#need = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
      else if (byte < 0xa0) this.#control(byte);
      // Nothing of a sequence but a string has such bytes: it was none.
      if (this.#state < State.Osc && byte >= 0xa0 && !this.#isAfterC2) this.#state = State.Ground;
      return;
    }
    this.#need = 0;
    if (byte === CAN || byte === SUB) this.#state = State.Ground;
    else this.#ascii(byte);
  }

  #ascii(byte: number): void {
    switch (this.#state) {
      case State.Ground:
        this.#c0(byte);
        return;
      case State.Escape:
        this.#escape(byte);
        return;
      case State.EscapeIntermediate:
        if (byte === ESC) this.#begin(State.Escape);
        else if (byte < 0x20) this.#c0(byte);
        else if (byte < 0x30) this.#intermediate = byte;
        else if (byte < 0x7f) this.#designate(byte);
        return;
      case State.Csi:
      case State.CsiIgnored:
        this.#csi(byte);
        return;
      case State.Osc:
        if (byte === BEL) this.#state = State.Ground;
        else if (byte === ESC) this.#begin(State.Escape);
        return;
      case State.Dcs:
        if (byte === ESC) this.#state = State.DcsEscape;
        return;
      case State.DcsEscape:
        this.#state = byte === BACKSLASH ? State.Ground : State.Dcs;
        return;
      case State.Text:
        if (byte === ESC) this.#begin(State.Escape);
    }
  }

  #begin(state: State): void {
    this.#state = state;
    this.sawString ||= state >= State.Osc;
    this.began = this.offset;
    this.#prefix = 0;
    this.#first = 0;
    this.#isFirst = true;
    this.#intermediate = 0;
  }

  #c0(byte: number): void {
    const { sink } = this;
    if (byte === 0x0a || byte === 0x0b || byte === 0x0c) sink.newlines(1);
    else if (byte === 0x0d) sink.carriageReturn();
    else if (byte === ESC) this.#begin(State.Escape);
    else if (byte === 0x09) sink.spaces(1);
    else if (byte === 0x08) sink.lineChanged();
    else if (byte === 0x0e || byte === 0x0f) this.#shift = byte === 0x0e ? 1 : 0;
  }

  // ESC with this byte, or the C1 control that means the same.
  #escape(byte: number): void {
    if (byte >= 0x40 && byte < 0x60) this.#control(byte + 0x40);
    else if (byte < 0x20) this.#c0(byte);
    else if (byte < 0x30) {
      this.#state = State.EscapeIntermediate;
      this.#intermediate = byte;
    } else if (byte === 0x6b) this.#begin(State.Text);
    else if (byte !== 0x7f) {
      this.#state = State.Ground;
      // The cursor is put back (8); the terminal is reset (c).
      if (byte === 0x38 || byte === 0x63) this.sink.screenChanged();
      if (byte === 0x63) this.#charsets = [0, 0];
    }
  }

  #control(byte: number): void {
    // A string ends with ST alone, or with what begins another sequence.
    if (this.#state === State.Dcs && byte !== ST) return;
    const { sink } = this;
    this.#begin(State.Ground);
    switch (byte) {
      case 0x84:
      case 0x85:
        sink.newlines(1);
        return;
      case 0x8d:
        sink.screenChanged();
        return;
      case 0x90:
        this.#begin(State.Dcs);
        return;
      case 0x98:
      case 0x9e:
      case 0x9f:
        this.#begin(State.Text);
        return;
      case 0x9b:
        this.#begin(State.Csi);
        return;
      case 0x9d:
        this.#begin(State.Osc);
    }
  }

  #designate(final: number): void {
    this.#state = State.Ground;
    if (this.#intermediate === 0x28) this.#charsets[0] = final;
    else if (this.#intermediate === 0x29) this.#charsets[1] = final;
    // Fills the screen with one letter.
    else if (this.#intermediate === 0x23) this.sink.screenChanged();
  }

  #csi(byte: number): void {
    if (byte < 0x20) {
      this.#c0(byte);
    } else if (byte < 0x30) this.#intermediate = byte;
    else if (byte < 0x3a) {
      if (this.#intermediate !== 0) this.#state = State.CsiIgnored;
      else if (this.#isFirst) this.#first = Math.min(this.#first * 10 + byte - 0x30, 99_999);
    } else if (byte < 0x3c) this.#isFirst = false;
    else if (byte < 0x40) {
      if (this.#first > 0 || !this.#isFirst || this.#intermediate !== 0) this.#state = State.CsiIgnored;
      else this.#prefix = byte;
    } else if (byte < 0x7f) {
      const isIgnored = this.#state === State.CsiIgnored || this.#intermediate !== 0;
      this.#state = State.Ground;
      if (!isIgnored) this.#apply(byte);
    }
  }

  #apply(final: number): void {
    const { sink } = this;
    const count = Math.min(this.#first || 1, MOST_REPEATS);
    switch (csiEffect(final, this.#prefix, this.#first)) {
      case 'none':
        return;
      case 'spaces':
        sink.spaces(count);
        return;
      case 'down':
        sink.screenChanged();
        sink.newlines(count);
        return;
      case 'line':
        sink.lineChanged();
        return;
      case 'screen':
        sink.screenChanged();
        return;
      case 'repeat':
        // Of a longer character only the last byte is known.
        if (this.#last >= 0x80) sink.lineChanged();
        else if (this.#last !== 0) this.#print(new Uint8Array(count).fill(this.#last), 0, count);
    }
  }
}

// Most sequences are styles, and do nothing to the text: where one that is all there ends, or 0.
function styleEnd(bytes: Uint8Array, start: number): number {
  if (bytes[start + 1] !== 0x5b) return 0;
  let at = start + 2;
  for (let byte = bytes[at]; byte !== undefined && byte >= 0x30 && byte < 0x3c; byte = bytes[at]) at++;
  return bytes[at] === 0x6d ? at + 1 : 0;
}
