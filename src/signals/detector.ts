// Finds markers in what a pane prints. Where the bytes alone cannot tell what the screen shows, it says so.
import { EscapeScanner, type TextSink } from '../terminal/escapes.js';
import { contextOf, isNearMiss, type Marker, parseMarker } from './marker.js';

export type Observation =
  // Printed by a program that just prints: it is there for the first time. `context`: the text before it.
  | { kind: 'marker'; marker: Marker; context: string }
  // A cleaned line in which a marker may have been meant.
  | { kind: 'near_miss'; line: string }
  // A marker was painted, or may have been: the screen tells.
  | { kind: 'look' };

// Lines are never longer in practice; of one that is, the front is cut.
export const MOST_OF_LINE = 4096;
const SPACE = 0x20;
const NEWLINE = 0x0a;
const NOTHING: readonly Observation[] = [];
const LOOK: Observation = { kind: 'look' };
// In how many bytes before a line its context is looked for.
const CONTEXT_BYTES = 1024;

// The ends of what a marker, or what was meant for one, has in it: `<[`, `m:`, `ux`, `]>`.
const BEFORE = new Uint8Array(256);
BEFORE[0x5b] = 0x3c;
BEFORE[0x3a] = 0x6d;
BEFORE[0x78] = 0x75;
BEFORE[0x3e] = 0x5d;

export class Detector implements TextSink {
  readonly #scanner = new EscapeScanner(this);
  // Cleaned text: the lines that were finished last, and the one that is not.
  readonly #text = Buffer.alloc(2 * MOST_OF_LINE);
  #end = 0;
  #lineStart = 0;
  #contextStart = 0;
  // What stood before the text that is kept.
  #contextBefore = '';
  // Something in the line may be of a marker.
  #isHinted = false;
  // The line is not what the bytes since its start say.
  #isChanged = false;
  #isReturned = false;
  #isCut = false;
  // What a flush has told of the line.
  #flushed: string | undefined;
  #found: Observation[] | undefined;
  // The program paints: its lines may be on the screen already, or be gone from it.
  #isPainted: boolean;
  #isStirred = false;

  // One that begins in the middle of a stream does not know what the screen shows.
  constructor({ isPainted }: { isPainted: boolean } = { isPainted: false }) {
    this.#isPainted = isPainted;
    this.#isChanged = isPainted;
  }

  get isPainted(): boolean {
    return this.#isPainted;
  }

  // Something was painted since this was last asked.
  takeStirred(): boolean {
    const isStirred = this.#isStirred;
    this.#isStirred = false;
    return isStirred;
  }

  feed(bytes: Uint8Array): readonly Observation[] {
    this.#scanner.scan(bytes);
    if (this.#isPainted) {
      this.#isStirred = true;
      if (this.#isHinted) this.#observe(LOOK);
      this.#isHinted = false;
    }
    return this.#take();
  }

  // Nothing has come for a while: whatever there is of a line is looked at, and stays.
  flush(): readonly Observation[] {
    if (this.#scanner.isInString) this.#scanner.reset();
    if (this.#isHinted && !this.#isPainted) this.#examine(this.#line(), 'unfinished');
    return this.#take();
  }

  // The screen was seen with its cursor behind all text: what is printed from here on is new. `shown`: that text's end.
  settle(shown: string): void {
    this.#isPainted = false;
    this.#isChanged = false;
    this.#isReturned = false;
    this.#contextBefore = contextOf(shown);
    this.#contextStart = this.#end;
    this.#startLine();
  }

  text(bytes: Uint8Array, from: number, to: number): void {
    if (this.#isReturned) {
      this.#isReturned = false;
      // Over what stands there.
      if (this.#end > this.#lineStart) this.#isChanged = true;
    }
    const text = this.#text;
    for (let at = from; at < to; ) {
      if (this.#end === text.length) this.#makeRoom();
      let end = this.#end;
      const stop = Math.min(to, at + text.length - end);
      let last = end > this.#lineStart ? (text[end - 1] as number) : 0;
      for (; at < stop; at++) {
        const byte = bytes[at] as number;
        text[end++] = byte;
        if (BEFORE[byte] === last && last !== 0) this.#isHinted = true;
        last = byte;
      }
      this.#end = end;
    }
  }

  spaces(count: number): void {
    for (let i = 0; i < count; i++) this.#put(SPACE);
  }

  newlines(count: number): void {
    if (this.#isHinted) this.#finish();
    for (let i = 0; i < count; i++) this.#put(NEWLINE);
    if (this.#isChanged) {
      this.#contextBefore = '';
      this.#contextStart = this.#end;
    }
    this.#isChanged = this.#isPainted;
    this.#startLine();
  }

  carriageReturn(): void {
    this.#isReturned = true;
  }

  lineChanged(): void {
    this.#isChanged = true;
  }

  screenChanged(): void {
    this.#isPainted = true;
    this.#isChanged = true;
  }

  #startLine(): void {
    this.#lineStart = this.#end;
    this.#isHinted = false;
    this.#isReturned = false;
    this.#isCut = false;
    this.#flushed = undefined;
  }

  #finish(): void {
    const line = this.#line();
    if (this.#isPainted) this.#observe(LOOK);
    else this.#examine(line, 'whole');
  }

  // Where something was painted over, only the screen shows what came of it.
  #examine(line: string, extent: 'whole' | 'unfinished'): void {
    if (!isNearMiss(line) || (this.#flushed !== undefined && line.startsWith(this.#flushed))) return;
    if (this.#isChanged) {
      this.#observe(LOOK);
      return;
    }
    const marker = this.#isCut ? undefined : parseMarker(line);
    // More of it may still come.
    if (extent === 'unfinished' && !marker) return;
    if (extent === 'unfinished') this.#flushed = line;
    this.#observe(
      marker
        ? { kind: 'marker', marker, context: this.#context() }
        : { kind: 'near_miss', line: line.trim() },
    );
  }

  #line(): string {
    return this.#text.toString('utf8', this.#lineStart, this.#end);
  }

  #context(): string {
    const from = Math.max(this.#contextStart, this.#lineStart - CONTEXT_BYTES);
    const near = this.#text.toString('utf8', from, this.#lineStart);
    return contextOf(from === this.#contextStart ? this.#contextBefore + near : near);
  }

  #put(byte: number): void {
    if (this.#end === this.#text.length) this.#makeRoom();
    this.#text[this.#end++] = byte;
  }

  // Keeps the second half. Called once in so many bytes.
  #makeRoom(): void {
    const cut = this.#end - MOST_OF_LINE;
    this.#text.copyWithin(0, cut, this.#end);
    this.#end -= cut;
    if (this.#contextStart < cut) {
      this.#contextStart = 0;
      this.#contextBefore = '';
    } else this.#contextStart -= cut;
    this.#isCut ||= this.#lineStart < cut;
    this.#lineStart = Math.max(0, this.#lineStart - cut);
  }

  #observe(observation: Observation): void {
    this.#found ??= [];
    if (observation !== LOOK || !this.#found.includes(LOOK)) this.#found.push(observation);
  }

  #take(): readonly Observation[] {
    const found = this.#found ?? NOTHING;
    this.#found = undefined;
    return found;
  }
}
