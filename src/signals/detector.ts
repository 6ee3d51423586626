// Finds markers in what a pane prints. Most bytes are only searched, natively; lines are read where a marker may be.
import { EscapeScanner } from '../terminal/escapes.js';
import { Clears } from './clears.js';
import { hasOpening, isMeant, LONGEST_HINT, lastHint, OPENING } from './hints.js';
import { type Begun, LineReader, LOOK, MOST_OF_LINE, type Observation } from './line-reader.js';
import { contextOf } from './marker.js';

export { MOST_OF_LINE, type Observation } from './line-reader.js';

const ESC = 0x1b;
const NEWLINE = 0x0a;
// Searched at once; and kept of what was read before, for its context.
const PIECE = 8192;
const KEPT = MOST_OF_LINE;
const CONTEXT_BYTES = 1024;
const WHOLE = { isChanged: false, isCut: false, told: undefined };
const NOTHING: readonly Observation[] = [];

// The screen as it was seen when its program had come to rest, with nothing behind the cursor.
export interface Settled {
  // What stands before the cursor.
  text: string;
  // The cursor stands at the beginning of a row.
  isLineStart: boolean;
}

export class Detector {
  readonly #reader = new LineReader();
  readonly #contextReader = new LineReader();
  // Where the screen is changed, `offset` tells where in the bytes.
  #changedAt: number | undefined;
  readonly #skim = new EscapeScanner({
    text() {},
    spaces() {},
    newlines() {},
    carriageReturn() {},
    lineChanged() {},
    screenChanged: () => {
      this.#changedAt ??= this.#skim.offset;
    },
  });
  // What was printed last, as it came: the line that is not finished, and some of what is before it.
  readonly #raw = Buffer.alloc(PIECE + 2 * KEPT);
  #end = 0;
  #lineStart = 0;
  #hasString = false;
  // Where the string began that has not ended.
  #stringStart = 0;
  // Up to here it was searched.
  #searched = 0;
  // Before what is kept.
  #context = '';
  #contextStart = 0;
  // Of the line that is not finished.
  #isHinted = false;
  #isChanged: boolean;
  #isCut = false;
  #told: string | undefined;
  #found: Observation[] | undefined;
  // The program paints: its lines may be on the screen already, or be gone from it. So until the screen was seen.
  #isPainted: boolean;
  #isStirred = false;
  // Nothing was seen to be painted: only what stood there before is not known.
  #isUnknown: boolean;
  #lastByte = 0;
  #isCleared = false;
  readonly #clears = new Clears();

  // One that begins in the middle of a stream does not know what the screen shows.
  constructor({ isPainted }: { isPainted: boolean } = { isPainted: false }) {
    this.#isPainted = isPainted;
    this.#isChanged = isPainted;
    this.#isUnknown = isPainted;
  }

  // It began in the middle of a stream, and has seen nothing painted since.
  get isUnknown(): boolean {
    return this.#isPainted && this.#isUnknown;
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

  // The whole screen was cleared since this was last asked.
  takeCleared(): boolean {
    const isCleared = this.#isCleared;
    this.#isCleared = false;
    return isCleared;
  }

  feed(bytes: Buffer): readonly Observation[] {
    if (bytes.length <= PIECE) this.#take(bytes);
    else for (let at = 0; at < bytes.length; at += PIECE) this.#take(bytes.subarray(at, at + PIECE));
    return this.#tell();
  }

  // Nothing has come for a while. A marker in a line that is not finished may be printed, or typed: the screen is to be seen.
  flush(): readonly Observation[] {
    if (this.#isHinted && !this.#isPainted && this.#unfinished().hasMarker) this.#observe(LOOK);
    if (this.#skim.isInString) this.#dropString();
    return this.#tell();
  }

  // The marker in the line that is not finished was found on the screen.
  tellLine(): void {
    if (this.#isPainted) return;
    const { line, hasMarker } = this.#unfinished();
    if (hasMarker) this.#told = line;
  }

  #unfinished(): { line: string; hasMarker: boolean } {
    return this.#reader.readUnfinished(this.#raw.subarray(this.#lineStart, this.#end), this.#begun());
  }

  // Some of the stream never came.
  lose(): void {
    this.#isPainted = true;
    this.#isUnknown = true;
    this.#isStirred = true;
    this.#isCleared = false;
    this.#clears.reset();
    this.#skim.reset();
  }

  // What is printed from here on is new.
  settle({ text, isLineStart }: Settled): void {
    this.#isPainted = false;
    this.#clears.reset();
    this.#skim.reset();
    this.#context = contextOf(text);
    this.#end = this.#lineStart = this.#searched = this.#contextStart = 0;
    this.#startLine({ isChanged: !isLineStart });
  }

  #take(bytes: Buffer): void {
    if (this.#isPainted) {
      this.#findClear(bytes);
      this.#paint(bytes);
      return;
    }
    this.#makeRoom(bytes.length);
    const start = this.#end;
    this.#raw.set(bytes, start);
    this.#end += bytes.length;
    if (this.#skim.isInSequence || bytes.includes(ESC)) {
      this.#changedAt = undefined;
      const wasInString = this.#skim.isInString;
      this.#skim.began = 0;
      this.#skim.skim(bytes);
      if (this.#skim.isInString && (!wasInString || this.#skim.began > 0))
        this.#stringStart = start + this.#skim.began;
      if (this.#changedAt !== undefined) {
        this.#findClear(this.#raw.subarray(this.#lineStart, this.#end));
        this.#end = start + this.#changedAt;
        this.#lines();
        this.#beginPainting(bytes.subarray(this.#changedAt));
        return;
      }
    }
    this.#lines();
  }

  // Lines up to the last line feed are read where one of them may hold a marker.
  #lines(): void {
    const raw = this.#raw;
    const from = Math.max(this.#lineStart, this.#searched - LONGEST_HINT);
    this.#isHinted ||= isMeant(raw.subarray(from, this.#end));
    this.#searched = this.#end;
    // A line feed inside a string ends no line.
    const stop = this.#skim.isInString ? Math.max(this.#lineStart, this.#stringStart) : this.#end;
    const last = raw.subarray(this.#lineStart, stop).lastIndexOf(NEWLINE);
    if (last === -1) return;
    const end = this.#lineStart + last + 1;
    this.#hasString ||= this.#skim.sawString;
    if (this.#isHinted)
      for (const one of this.#hasString ? this.#readAll(end) : this.#readHinted(end)) this.#observe(one);
    this.#hasString = this.#skim.isInString;
    this.#skim.sawString = false;
    const wasHinted = this.#isHinted;
    this.#lineStart = end;
    this.#startLine({ isChanged: false });
    this.#isHinted = wasHinted && isMeant(raw.subarray(end, this.#end));
  }

  // It never ended: where the text goes on is not known.
  #dropString(): void {
    this.#skim.reset();
    this.#lineStart = this.#searched = this.#contextStart = this.#end;
    this.#context = '';
    this.#startLine({ isChanged: true });
  }

  #beginPainting(rest: Buffer): void {
    this.#isPainted = true;
    this.#isUnknown = false;
    if (this.#isHinted) this.#observe(LOOK);
    this.#paint(rest);
  }

  // While a program paints, the bytes only tell whether a marker may be among what it paints.
  #paint(bytes: Buffer): void {
    this.#isStirred = true;
    if (this.#isUnknown && (this.#skim.isInSequence || bytes.includes(ESC))) {
      this.#changedAt = undefined;
      this.#skim.skim(bytes);
      this.#isUnknown = this.#changedAt === undefined;
    }
    const isHinted = this.#lastByte === OPENING || hasOpening(bytes);
    this.#lastByte = bytes.at(-1) ?? this.#lastByte;
    if (isHinted) this.#observe(LOOK);
  }

  #findClear(bytes: Buffer): void {
    if (this.#clears.feed(bytes)) this.#isCleared = true;
  }

  #startLine({ isChanged }: { isChanged: boolean }): void {
    this.#isHinted = false;
    this.#isChanged = isChanged;
    this.#isCut = false;
    this.#told = undefined;
  }

  #readAll(end: number): Observation[] {
    return this.#reader.readLines(this.#raw.subarray(this.#lineStart, end), this.#begun());
  }

  // Only the lines with a hint in them, from the last one on.
  #readHinted(end: number): Observation[] {
    const raw = this.#raw;
    const start = this.#lineStart;
    const found: Observation[][] = [];
    for (let stop = end; stop > start; ) {
      const hint = lastHint(raw.subarray(start, stop));
      if (hint === -1) break;
      const from = Math.max(start, raw.lastIndexOf(NEWLINE, start + hint) + 1);
      const line = raw.subarray(from, raw.indexOf(NEWLINE, start + hint) + 1);
      const begun = from === start ? this.#begun() : { ...WHOLE, context: () => this.#contextBefore(from) };
      found.push(this.#reader.readLines(line, begun));
      stop = from;
    }
    return found.reverse().flat();
  }

  #begun(): Begun {
    const start = this.#lineStart;
    const context = (): string => this.#contextBefore(start);
    return { context, isChanged: this.#isChanged, isCut: this.#isCut, told: this.#told };
  }

  #contextBefore(end: number): string {
    const raw = this.#raw;
    const near = Math.max(this.#contextStart, end - CONTEXT_BYTES);
    const isAll = near === this.#contextStart;
    // From the beginning of a line: a sequence that was cut would be text.
    const from = isAll ? near : near + raw.subarray(near, end).indexOf(NEWLINE) + 1;
    return this.#contextReader.contextAfter(raw.subarray(from, end), isAll ? this.#context : '');
  }

  #makeRoom(length: number): void {
    if (this.#end + length <= this.#raw.length) return;
    const cut = this.#end - KEPT;
    this.#raw.copyWithin(0, cut, this.#end);
    this.#end -= cut;
    this.#searched -= cut;
    this.#stringStart -= cut;
    this.#isCut ||= this.#lineStart < cut;
    this.#lineStart = Math.max(0, this.#lineStart - cut);
    // A line that is cut would leave the rest of a sequence as text.
    if (this.#contextStart < cut) {
      const line = this.#raw.subarray(0, this.#lineStart).indexOf(NEWLINE);
      this.#contextStart = line === -1 ? this.#lineStart : line + 1;
      this.#context = '';
    } else this.#contextStart -= cut;
  }

  #observe(observation: Observation): void {
    this.#found ??= [];
    if (observation !== LOOK || !this.#found.includes(LOOK)) this.#found.push(observation);
  }

  #tell(): readonly Observation[] {
    const found = this.#found ?? NOTHING;
    this.#found = undefined;
    return found;
  }
}
