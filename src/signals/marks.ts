// The markers of one session: which of those that its pane prints, its screen shows and its agent's record holds are new.
import { Detector } from './detector.js';
import type { Observation } from './line-reader.js';
import { type Marker, markerKey } from './marker.js';
import { isSameContext, MOST_REMEMBERED, type Occurrence, recognise, type Sight } from './occurrences.js';
import { findMarkers, isAsTyped, type Screen, type Shown, textBeforeCursor } from './screen.js';

// `rest`: nothing has come for a while. `moving`: more may be on its way, and what is painted be half done. `stale`: more has
// come since.
export type Moment = 'rest' | 'moving' | 'stale';

// A marker in the agent's own record of its conversation.
export interface Recorded {
  entry: string;
  marker: Marker;
  at: number;
}

export type Effect =
  // No report: it was typed, or stood there before; it is remembered all the same.
  | { kind: 'new'; occurrence: Occurrence; isReport: boolean }
  // More is known of one: the words before it, or its entry in the agent's record.
  | { kind: 'known'; occurrence: Occurrence }
  | { kind: 'near_miss'; line: string }
  // The screen has to be seen, soon; or a little later, when the agent's record may tell.
  | { kind: 'look' }
  | { kind: 'wait' };

export interface MarksDeps {
  isState: (word: string) => boolean;
  // It stands in mail that we delivered.
  isMail: (sight: Sight) => boolean;
  // What stands before the cursor in an empty input box, where that is known.
  prompt: () => string;
  clock: () => number;
}

// What was seen in the input box so recently is shown again when it is submitted.
const TYPED_MS = 600_000;
// The agent's record is written when it has said all of it: what the screen shows may be older.
const BEFORE_RECORD_MS = 120_000;
const AFTER_RECORD_MS = 30_000;
// So long the record of an agent that has one is waited for: it tells order and number exactly.
const AWAITED_MS = 1500;
// Where programs put what is to stay in sight.
const TOP_ROWS = 3;

export class Marks {
  readonly detector: Detector;
  #known: Occurrence[];
  #seq: number;
  #typed = new Map<string, number>();
  // Seen once while the screen was moving.
  #unsure: Sight[] = [];
  // What the last screen showed, and how wide it was.
  #shown: (Occurrence | undefined)[] = [];
  #columns = 0;
  #missed = new Set<string>();
  #hasRecord = false;
  // Since when they stand on the screen and not in the record.
  #awaited = new Map<string, number>();

  constructor(
    readonly deps: MarksDeps,
    known: readonly Occurrence[],
    { isPainted }: { isPainted: boolean } = { isPainted: true },
  ) {
    this.#known = [...known];
    this.#seq = known.at(-1)?.seq ?? 0;
    this.detector = new Detector({ isPainted });
  }

  get known(): readonly Occurrence[] {
    return this.#known;
  }

  output(bytes: Buffer): Effect[] {
    const found = this.detector.feed(bytes);
    return found.length === 0 ? [] : this.#observed(found);
  }

  // Nothing has come for a while.
  quiet(): Effect[] {
    return this.#observed(this.detector.flush());
  }

  #observed(found: readonly Observation[]): Effect[] {
    return found.flatMap((one): Effect[] => {
      if (one.kind === 'look') return [one];
      if (one.kind === 'near_miss') return this.#miss(one.line);
      if (!this.deps.isState(one.marker.state)) return this.#miss(one.line.trim());
      const isEcho = isAsTyped(one.line, this.deps.prompt());
      // The agent's own id makes all that bear it one.
      if (one.marker.id !== null && recognise(this.#known, [one])[0]) return [];
      return [this.#add(one, one.context, null, { isReport: !isEcho && !this.#isEcho(one) })];
    });
  }

  // `isFirst`: of a session that ran before it was ours; what stands there was said to somebody else.
  seen(screen: Screen, moment: Moment, { isFirst }: { isFirst: boolean } = { isFirst: false }): Effect[] {
    const { shown, typed, open, nearMisses } = findMarkers(
      moment === 'rest' ? screen : { ...screen, isLineOpen: true },
    );
    const now = this.deps.clock();
    // At rest the cursor's line is open for a person alone.
    for (const marker of moment === 'rest' ? [...typed, ...open] : typed)
      this.#typed.set(markerKey(marker), now);
    const sights = shown.filter(({ marker }) => this.deps.isState(marker.state));
    const matched: (Occurrence | typeof OLD | undefined)[] = recognise(this.#known, sights);
    if (this.#columns !== screen.columns) this.#follow(sights, matched);
    this.#columns = screen.columns;
    this.#leaveOld(sights, matched, screen);
    const top = this.#known.length < MOST_REMEMBERED ? -1 : matched.findIndex(Boolean);
    const unsure: Sight[] = [];
    const effects = sights.flatMap((sight, i): Effect[] => {
      const known = matched[i];
      if (known === OLD) return [];
      if (known) return this.#learn(known, sight.context);
      // Older than all that is remembered.
      if (i < top) return [];
      // What has scrolled away is painted no more.
      const isSure = moment === 'rest' || sight.row < screen.top || isFirst;
      if (!isSure && !this.#wasUnsure(sight)) {
        unsure.push(sight);
        return [];
      }
      return this.#appeared(sight, isFirst);
    });
    this.#unsure = unsure;
    this.#shown = recognise(this.#known, sights);
    this.#awaited = new Map([...this.#awaited].filter(([key]) => sights.some((one) => placeOf(one) === key)));
    if (unsure.length > 0) effects.push({ kind: 'look' });
    if (moment === 'rest') {
      if (!screen.isLineOpen) this.detector.tellLine();
      const unknown = shown.filter((one) => !sights.includes(one)).map(({ marker }) => spelled(marker));
      for (const line of [...nearMisses, ...unknown]) effects.push(...this.#miss(line));
    }
    // In the middle of painting the rest of what stood there before may still come.
    if (moment === 'rest' || (moment === 'moving' && this.detector.isUnknown)) this.#settle(screen);
    return effects;
  }

  // An entry of the agent's own record, each once.
  recorded({ entry, marker, at }: Recorded): Effect[] {
    this.#hasRecord = true;
    if (!this.deps.isState(marker.state)) return [];
    const key = markerKey(marker);
    const alike = this.#known.filter((one) => markerKey(one.marker) === key);
    if (alike.some((one) => one.entry === entry || marker.id !== null)) return [];
    const seen = alike.find(
      (one) => one.entry === null && one.at > at - BEFORE_RECORD_MS && one.at < at + AFTER_RECORD_MS,
    );
    if (!seen) return [this.#add({ marker }, null, entry, { isReport: true, at })];
    return [{ kind: 'known', occurrence: this.#replace(seen, { entry }) }];
  }

  #appeared(sight: Sight, isFirst: boolean): Effect[] {
    const isEcho = this.#isEcho(sight);
    if (this.#hasRecord && !isEcho && !isFirst) {
      const place = placeOf(sight);
      const since = this.#awaited.get(place) ?? this.deps.clock();
      this.#awaited.set(place, since);
      if (this.deps.clock() - since < AWAITED_MS) return [{ kind: 'wait' }];
      // What it says again stands in the record again: on the screen it has only changed its place.
      if (this.#isKnown(sight)) return [];
    }
    return [this.#add(sight, sight.context, null, { isReport: !isFirst && !isEcho })];
  }

  #isKnown({ marker }: Sight): boolean {
    const key = markerKey(marker);
    return this.#known.some((one) => markerKey(one.marker) === key);
  }

  // What is said comes below what was said before. So one that stands above something that is known, and says what an earlier one
  // said that is not on the screen elsewhere, is that one, whatever words now stand above it; and so at the top of a screen
  // that scrolls.
  #leaveOld(
    sights: readonly Shown[],
    matched: (Occurrence | typeof OLD | undefined)[],
    { isAlternate }: Screen,
  ): void {
    const lowest = matched.findLastIndex((one) => one !== undefined);
    const left = this.#known.filter((one) => !matched.includes(one)).map(({ marker }) => markerKey(marker));
    for (const [i, { marker, row }] of sights.entries()) {
      const isAbove = i < lowest || (isAlternate && row < TOP_ROWS);
      const at = matched[i] === undefined && isAbove ? left.indexOf(markerKey(marker)) : -1;
      if (at < 0) continue;
      left.splice(at, 1);
      matched[i] = OLD;
    }
  }

  #isEcho(sight: Sight): boolean {
    if (this.deps.isMail(sight)) return true;
    const key = markerKey(sight.marker);
    const typedAt = this.#typed.get(key);
    this.#typed.delete(key);
    return typedAt !== undefined && this.deps.clock() - typedAt < TYPED_MS;
  }

  // Made wider or narrower, the screen breaks and cuts the words before a marker elsewhere: what stood there still does.
  #follow(sights: readonly Sight[], matched: (Occurrence | typeof OLD | undefined)[]): void {
    const left = this.#shown.filter((one) => one !== undefined && !matched.includes(one));
    for (const [i, { marker, context }] of sights.entries()) {
      const key = markerKey(marker);
      const at = matched[i] ? -1 : left.findIndex((one) => one && markerKey(one.marker) === key);
      const [known] = at < 0 ? [] : left.splice(at, 1);
      if (!known) continue;
      this.#replace(known, { also: [...(known.also ?? []).slice(1 - MOST_OTHERS), context] });
      matched[i] = OLD;
    }
  }

  #wasUnsure(sight: Sight): boolean {
    const key = markerKey(sight.marker);
    return this.#unsure.some((one) => markerKey(one.marker) === key && one.context === sight.context);
  }

  // As much of the words before it as was ever seen, the latest of them.
  #learn(known: Occurrence, context: string): Effect[] {
    const before = known.context;
    if (before === context || (before !== null && before.length > context.length)) return [];
    if (before !== null && !isSameContext(before, context)) return [];
    const occurrence = this.#replace(known, { context });
    const hasGrown = before === null || before.length < context.length;
    return hasGrown ? [{ kind: 'known', occurrence }] : [];
  }

  #replace(known: Occurrence, change: Partial<Occurrence>): Occurrence {
    const changed = { ...known, ...change };
    this.#known = this.#known.map((one) => (one.seq === known.seq ? changed : one));
    this.#shown = this.#shown.map((one) => (one?.seq === known.seq ? changed : one));
    return changed;
  }

  #add(
    { marker }: { marker: Marker },
    context: string | null,
    entry: string | null,
    { isReport, at = this.deps.clock() }: { isReport: boolean; at?: number },
  ): Effect {
    const occurrence = { seq: ++this.#seq, marker, context, at, entry };
    this.#known = [...this.#known.slice(1 - MOST_REMEMBERED), occurrence];
    return { kind: 'new', occurrence, isReport };
  }

  // From here on the bytes tell what is new, where the program has printed and not painted.
  #settle(screen: Screen): void {
    if (!this.detector.isPainted) return;
    const text = screen.isAlternate ? undefined : textBeforeCursor(screen);
    if (text !== undefined) this.detector.settle({ text, isLineStart: screen.cursor.x === 0 });
  }

  #miss(line: string): Effect[] {
    if (this.#missed.has(line)) return [];
    // As often as it is on the screen it is the same one.
    this.#missed = new Set([...[...this.#missed].slice(-MOST_MISSED), line]);
    return [{ kind: 'near_miss', line }];
  }
}

const MOST_MISSED = 50;
const MOST_OTHERS = 4;
// On the screen again, nobody knows which of those that say the same.
const OLD = Symbol('old');
const placeOf = ({ marker, context }: Sight): string => `${markerKey(marker)}\n${context}`;
const spelled = ({ state, message }: Marker): string => `--<[sm:${state}:${message}]>--`;
