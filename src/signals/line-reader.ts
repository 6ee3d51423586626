// Reads bytes of a stream as the lines that they print, and says which of them are markers.
import { EscapeScanner, type TextSink } from '../terminal/escapes.js';
import { isMeant } from './hints.js';
import { contextOf, isNearMiss, type Marker, parseMarker } from './marker.js';

export type Observation =
  // Printed by a program that just prints: it is there for the first time. `context`: the words before its line.
  | { kind: 'marker'; marker: Marker; line: string; context: string }
  // A cleaned line in which a marker may have been meant.
  | { kind: 'near_miss'; line: string }
  // A marker was painted, or may have been: the screen tells.
  | { kind: 'look' };

export const LOOK: Observation = { kind: 'look' };

// Lines are never longer in practice; of one that is, the front is cut.
export const MOST_OF_LINE = 4096;
const SPACE = 0x20;
// In so many bytes before a line its context is found.
const CONTEXT_BYTES = 1024;

// How the first of the lines begins.
export interface Begun {
  // What was printed before it; asked for where a marker is found.
  context: () => string;
  // What stood there when it began is not known, so the bytes do not tell what it shows.
  isChanged: boolean;
  // Its front was cut.
  isCut: boolean;
  // It was told as far as this already.
  told: string | undefined;
}

export class LineReader implements TextSink {
  readonly #scanner = new EscapeScanner(this);
  readonly #line = Buffer.alloc(2 * MOST_OF_LINE);
  #length = 0;
  // The text of the lines before: what was given, and what was read since.
  #context = (): string => '';
  readonly #before = Buffer.alloc(2 * CONTEXT_BYTES);
  #beforeLength = 0;
  #isChanged = false;
  #isReturned = false;
  #isCut = false;
  #told: string | undefined;
  #found: Observation[] = [];

  // Of lines up to the last line feed; what stands behind it is not looked at.
  readLines(bytes: Uint8Array, begun: Begun): Observation[] {
    this.#begin(begun);
    this.#scanner.scan(bytes);
    return this.#found;
  }

  // A line that is not finished, and whether there is a marker in it that was not told yet.
  readUnfinished(bytes: Uint8Array, begun: Begun): { line: string; hasMarker: boolean } {
    this.#begin(begun);
    this.#scanner.scan(bytes);
    const line = this.#text();
    this.#examine(line);
    return { line, hasMarker: this.#found.some(({ kind }) => kind !== 'near_miss') };
  }

  // What the lines would show, as the context of a line behind them.
  contextAfter(bytes: Uint8Array, before: string): string {
    if (bytes.length === 0) return before;
    this.#begin({ context: () => before, isChanged: false, isCut: false, told: undefined });
    this.#scanner.scan(bytes);
    return this.#contextNow();
  }

  #begin(begun: Begun): void {
    this.#scanner.reset();
    this.#context = begun.context;
    this.#beforeLength = 0;
    this.#length = 0;
    this.#isChanged = begun.isChanged;
    this.#isCut = begun.isCut;
    this.#told = begun.told;
    this.#isReturned = false;
    this.#found = [];
  }

  text(bytes: Uint8Array, from: number, to: number): void {
    if (this.#isReturned) {
      this.#isReturned = false;
      // Over what stands there.
      if (this.#length > 0) this.#isChanged = true;
    }
    for (let at = from; at < to; at++) this.#put(bytes[at] as number);
  }

  spaces(count: number): void {
    for (let i = 0; i < count; i++) this.#put(SPACE);
  }

  newlines(_count: number): void {
    if (isMeant(this.#line.subarray(0, this.#length))) this.#examine(this.#text());
    this.#remember();
    this.#length = 0;
    this.#isChanged = false;
    this.#isReturned = false;
    this.#isCut = false;
    this.#told = undefined;
  }

  carriageReturn(): void {
    this.#isReturned = true;
  }

  lineChanged(): void {
    this.#isChanged = true;
  }

  // Lines that follow are the screen's to tell; these bytes end before them.
  screenChanged(): void {
    this.#isChanged = true;
  }

  #put(byte: number): void {
    if (this.#length === this.#line.length) {
      this.#line.copyWithin(0, MOST_OF_LINE);
      this.#length = MOST_OF_LINE;
      this.#isCut = true;
    }
    this.#line[this.#length++] = byte;
  }

  #remember(): void {
    // The text of a line that was painted over is not what stands there.
    if (this.#isChanged) {
      this.#context = () => '';
      this.#beforeLength = 0;
      return;
    }
    const from = Math.max(0, this.#length - CONTEXT_BYTES);
    if (this.#beforeLength + this.#length - from > this.#before.length) {
      this.#context = () => '';
      this.#before.copyWithin(0, this.#beforeLength - CONTEXT_BYTES, this.#beforeLength);
      this.#beforeLength = CONTEXT_BYTES;
    }
    this.#beforeLength += this.#line.copy(this.#before, this.#beforeLength, from, this.#length);
  }

  #contextNow(): string {
    return contextOf(this.#context() + this.#before.toString('utf8', 0, this.#beforeLength));
  }

  #text(): string {
    return this.#line.toString('utf8', 0, this.#length);
  }

  #examine(line: string): void {
    if (!isNearMiss(line) || (this.#told !== undefined && line.startsWith(this.#told))) return;
    if (this.#isChanged) {
      this.#found.push(LOOK);
      return;
    }
    const marker = this.#isCut ? undefined : parseMarker(line);
    this.#found.push(
      marker
        ? { kind: 'marker', marker, line, context: this.#contextNow() }
        : { kind: 'near_miss', line: line.trim() },
    );
  }
}
