// The markers that a session has shown: the latest of them, and which of those stand on its screen.
import { type Marker, markerKey } from './marker.js';
import { isSameContext, MOST_REMEMBERED, type Occurrence } from './occurrences.js';

export class Memory {
  #known: Occurrence[];
  #seq: number;
  // What the last screen showed, from its top.
  shown: (Occurrence | undefined)[] = [];
  // What was on the screen since it was last at rest.
  standing: Occurrence[] = [];
  // What was painted again after a clear, by what it says.
  readonly redrawn: Set<string>;

  constructor(known: readonly Occurrence[]) {
    this.#known = [...known];
    this.#seq = known.at(-1)?.seq ?? 0;
    this.redrawn = new Set(known.filter(({ isCopied }) => isCopied).map(({ marker }) => markerKey(marker)));
  }

  // Oldest first.
  get known(): readonly Occurrence[] {
    return this.#known;
  }

  // Whether there were more than are kept: the disk keeps the latest by their numbers, which may be fewer.
  get isFull(): boolean {
    return this.#seq > MOST_REMEMBERED;
  }

  isKnown(marker: Marker): boolean {
    const key = markerKey(marker);
    return this.#known.some((one) => markerKey(one.marker) === key);
  }

  // The agent's own id makes all that it reported with it one.
  isReported({ id }: Marker): boolean {
    return id !== null && this.#known.some(({ marker, isReport }) => isReport && marker.id === id);
  }

  add(sight: Omit<Occurrence, 'seq' | 'isCopied' | 'also'>): Occurrence {
    const isCopied = this.redrawn.has(markerKey(sight.marker));
    const occurrence = { ...sight, seq: ++this.#seq, isCopied };
    const [oldest] = this.#known.length < MOST_REMEMBERED ? [] : this.#known;
    this.#known = [...this.#known.slice(1 - MOST_REMEMBERED), occurrence];
    if (oldest && !this.isKnown(oldest.marker)) this.redrawn.delete(markerKey(oldest.marker));
    return occurrence;
  }

  replace(known: Occurrence, change: Partial<Occurrence>): Occurrence {
    const changed = { ...known, ...change };
    this.#known = this.#known.map((one) => (one.seq === known.seq ? changed : one));
    this.shown = this.shown.map((one) => (one?.seq === known.seq ? changed : one));
    this.standing = this.standing.map((one) => (one.seq === known.seq ? changed : one));
    return changed;
  }

  // As much of the words before it as was ever seen, the latest of them; what is to be kept where that is more.
  learn(known: Occurrence, context: string): Occurrence | undefined {
    const before = known.context;
    if (before === context || (before !== null && before.length > context.length)) return undefined;
    if (before !== null && !isSameContext(before, context)) return undefined;
    const changed = this.replace(known, { context });
    return before === null || before.length < context.length ? changed : undefined;
  }

  // It could not be written: seen again it is new.
  forget({ seq }: Occurrence): void {
    this.#keep((one) => one.seq !== seq);
    this.#known = this.#known.filter((one) => one.seq !== seq);
  }

  // As it is on disk, where some could not be written; nothing waits for it.
  reload(known: readonly Occurrence[]): void {
    this.#known = [...known];
    this.#seq = Math.max(this.#seq, known.at(-1)?.seq ?? 0);
    const seqs = new Set(known.map(({ seq }) => seq));
    this.#keep(({ seq }) => seqs.has(seq));
  }

  #keep(isKept: (one: Occurrence) => boolean): void {
    this.shown = this.shown.filter((one) => one && isKept(one));
    this.standing = this.standing.filter(isKept);
  }
}
