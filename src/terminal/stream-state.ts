// What a terminal's stream leaves behind that no screen shows: the style in force, modes, and a sequence that has not ended.
import { SgrState } from './cells.js';

const ESC = 0x1b;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
const BACKSLASH = 0x5c;
// A longer one is given up: an image, say, or a whole clipboard.
const LONGEST = 64 * 1024;
const STRINGS = new Set([...']PX^_k'].map((char) => char.charCodeAt(0)));

export interface StreamFacts {
  // SGR parameters; '' is the default style.
  pen: string;
  // Private modes that were set or reset, as far as the stream was seen.
  modes: ReadonlyMap<number, boolean>;
  // As DECSCUSR says it; 0 unless it was.
  cursorShape: number;
  // The beginning of a sequence or of a character, whose rest comes next.
  unfinished: Buffer;
}

export class StreamState {
  #pen = new SgrState();
  #savedPen = '';
  readonly #modes = new Map<number, boolean>();
  #cursorShape = 0;
  #unfinished: Buffer = Buffer.alloc(0);

  feed(data: Buffer): void {
    const bytes = this.#unfinished.length > 0 ? Buffer.concat([this.#unfinished, data]) : data;
    let rest = bytes.length;
    for (let at = bytes.indexOf(ESC); at !== -1; ) {
      const end = endOf(bytes, at);
      if (end === undefined) {
        rest = at;
        break;
      }
      this.#apply(bytes, at, end);
      at = bytes.indexOf(ESC, end);
    }
    if (rest === bytes.length) rest -= cutCharacter(bytes);
    const isTooLong = bytes.length - rest > LONGEST;
    this.#unfinished = isTooLong ? Buffer.alloc(0) : Buffer.from(bytes.subarray(rest));
  }

  // Some of the stream was not seen: what a sequence began there is over. Modes stay as they were.
  skip(): void {
    this.#unfinished = Buffer.alloc(0);
    this.#pen = new SgrState();
  }

  facts(): StreamFacts {
    return {
      pen: this.#pen.key,
      modes: new Map(this.#modes),
      cursorShape: this.#cursorShape,
      unfinished: this.#unfinished,
    };
  }

  #apply(bytes: Buffer, from: number, to: number): void {
    const kind = bytes[from + 1];
    if (kind === OPEN_BRACKET) this.#csi(bytes.toString('latin1', from + 2, to));
    else if (kind === SEVEN) this.#savedPen = this.#pen.key;
    else if (kind === EIGHT) this.#pen.apply(`0;${this.#savedPen}`);
    else if (kind === SMALL_C) this.#reset();
  }

  #csi(text: string): void {
    const final = text.at(-1);
    const parameters = text.slice(0, -1);
    if (final === 'm') {
      if (/^[0-9;:]*$/.test(parameters)) this.#pen.apply(parameters);
    } else if (final === 'h' || final === 'l') {
      if (!parameters.startsWith('?')) return;
      for (const mode of parameters.slice(1).split(';')) this.#switch(Number(mode), final === 'h');
    } else if (final === 'q' && parameters.endsWith(' ')) this.#cursorShape = Number(parameters) || 0;
    else if (text === '!p') this.#pen.apply('0');
  }

  #switch(mode: number, on: boolean): void {
    this.#modes.set(mode, on);
    if (mode !== ALTERNATE) return;
    if (on) this.#savedPen = this.#pen.key;
    else this.#pen.apply(`0;${this.#savedPen}`);
  }

  #reset(): void {
    this.#pen.apply('0');
    this.#modes.clear();
    this.#cursorShape = 0;
  }
}

const ALTERNATE = 1049;
const OPEN_BRACKET = 0x5b;
const [SEVEN, EIGHT, SMALL_C] = [0x37, 0x38, 0x63];

// Where the sequence that begins at `from` ends; undefined while it has not.
function endOf(bytes: Buffer, from: number): number | undefined {
  const kind = bytes[from + 1];
  if (kind === undefined) return undefined;
  if (kind === OPEN_BRACKET) return finalOf(bytes, from + 2, 0x40);
  if (STRINGS.has(kind)) return stringEnd(bytes, from + 2);
  return kind >= 0x20 && kind < 0x30 ? finalOf(bytes, from + 2, 0x30) : from + 2;
}

function finalOf(bytes: Buffer, from: number, least: number): number | undefined {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === ESC) return at;
    if (byte === CAN || byte === SUB || (byte >= least && byte < 0x7f)) return at + 1;
  }
  return undefined;
}

function stringEnd(bytes: Buffer, from: number): number | undefined {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === BEL || byte === CAN || byte === SUB) return at + 1;
    if (byte !== ESC) continue;
    const next = bytes[at + 1];
    if (next === undefined) return undefined;
    // Anything but ST begins a sequence of its own.
    return next === BACKSLASH ? at + 2 : at;
  }
  return undefined;
}

// How many bytes at the end are the beginning of a character in UTF-8.
function cutCharacter(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length > back ? back : 0;
  }
  return 0;
}
