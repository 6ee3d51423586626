// The markers of one session: which of those that its pane prints, its screen shows and its agent's record holds are new.
import { Detector } from './detector.js';
import type { Observation } from './line-reader.js';
import { contextOf, MARKER_END, type Marker, markerKey, spelled } from './marker.js';
import { Memory } from './memory.js';
import { isSameContext, type Occurrence, recognise, type Sight } from './occurrences.js';
import { copies, follow, type Match, OLD } from './redrawn.js';
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
  | { kind: 'new'; occurrence: Occurrence }
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
  readonly memory: Memory;
  #typed = new Map<string, number>();
  // Seen once while the screen was moving.
  #unsure: Sight[] = [];
  // How wide the last screen was.
  #columns = 0;
  // The screen was cleared and has not been at rest since.
  #isCleared = false;
  // Some of the stream never came, and the screen was not seen since.
  #isLost: boolean;
  #missed = new Set<string>();
  // Its agent keeps one, and markers stand in it.
  #hasRecord: boolean;
  // Since when they stand on the screen and not in the record.
  #awaited = new Map<string, number>();

  constructor(
    readonly deps: MarksDeps,
    known: readonly Occurrence[],
    { isPainted, hasRecord = false }: { isPainted: boolean; hasRecord?: boolean } = { isPainted: true },
  ) {
    this.memory = new Memory(known);
    this.#isLost = isPainted;
    this.#hasRecord = hasRecord;
    this.detector = new Detector({ isPainted });
  }

  // Some of its output never came.
  lose(): void {
    this.#isLost = true;
    this.#isCleared = false;
    this.detector.lose();
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
      if (this.memory.isReported(one.marker)) return [];
      return [this.#new(one, { isReport: !isEcho && !this.#isEcho(one) })];
    });
  }

  // `isFirst`: of a session that ran before it was ours; what stands there was said to somebody else.
  seen(screen: Screen, moment: Moment, { isFirst }: { isFirst: boolean } = { isFirst: false }): Effect[] {
    const { shown, typed, open, nearMisses } = findMarkers(
      moment === 'rest' ? screen : { ...screen, isLineOpen: true },
    );
    const now = this.deps.clock();
    // At rest the cursor's line is open for a person alone.
    for (const [key, at] of this.#typed) if (now - at >= TYPED_MS) this.#typed.delete(key);
    for (const marker of moment === 'rest' ? [...typed, ...open] : typed)
      this.#typed.set(markerKey(marker), now);
    const sights = shown.filter(({ marker }) => this.deps.isState(marker.state));
    const matched: Match[] = recognise(this.memory.known, sights);
    const changed = this.#columns === screen.columns ? [] : this.#follow(sights, matched, screen);
    this.#columns = screen.columns;
    if (this.detector.takeCleared()) this.#isCleared = true;
    changed.push(...this.#leaveRedrawn(sights, matched, screen));
    const old = this.#leaveOld(sights, matched, screen);
    const top = this.memory.isFull ? matched.findIndex(Boolean) : -1;
    const unsure: Sight[] = [];
    const isPrinted = !screen.isAlternate && (this.detector.isUnknown || !this.detector.isPainted);
    const effects = sights.flatMap((sight, i): Effect[] => {
      const known = matched[i];
      if (known === OLD) return [];
      if (known) {
        const learnt = this.memory.learn(known, sight.context);
        return learnt ? [{ kind: 'known', occurrence: learnt }] : [];
      }
      // Older than all that is remembered; no screen shows so many.
      if (i < top && sight.row < screen.top) return [];
      // What has scrolled away is painted no more, and what is printed is there as soon as it is shown.
      const isSure = moment === 'rest' || isFirst || isPrinted || sight.row < screen.top;
      if (!isSure && !this.#wasUnsure(sight)) {
        unsure.push(sight);
        return [];
      }
      return this.#appeared(sight, isFirst);
    });
    effects.unshift(...changed);
    this.#unsure = unsure;
    this.memory.shown = recognise(this.memory.known, sights);
    this.#stand(sights, screen, moment, old);
    this.#awaited = new Map([...this.#awaited].filter(([key]) => sights.some((one) => placeOf(one) === key)));
    if (unsure.length > 0) effects.push({ kind: 'look' });
    if (moment === 'rest') {
      if (!screen.isLineOpen) this.detector.tellLine();
      const unknown = shown.filter((one) => !sights.includes(one)).map((one) => quoted(one, screen));
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
    const alike = this.memory.known.filter((one) => one.isReport && markerKey(one.marker) === key);
    if (alike.some((one) => one.entry === entry || marker.id !== null)) return [];
    const seen = alike.find(
      (one) => one.entry === null && one.at > at - BEFORE_RECORD_MS && one.at < at + AFTER_RECORD_MS,
    );
    if (!seen) return [this.#new({ marker, context: null }, { isReport: true, entry, at })];
    return [{ kind: 'known', occurrence: this.memory.replace(seen, { entry }) }];
  }

  #appeared(sight: Sight, isFirst: boolean): Effect[] {
    const isEcho = this.#isEcho(sight);
    if (this.#hasRecord && !isEcho && !isFirst) {
      const place = placeOf(sight);
      const since = this.#awaited.get(place) ?? this.deps.clock();
      this.#awaited.set(place, since);
      if (this.deps.clock() - since < AWAITED_MS) return [{ kind: 'wait' }];
      // What it says again stands in the record again: on the screen it has only changed its place.
      if (this.memory.isKnown(sight.marker)) return [];
    }
    return [this.#new(sight, { isReport: !isFirst && !isEcho })];
  }

  // What is said comes below what was said before. So one that stands above something that is known, and says what an earlier one
  // said that is not on the screen elsewhere, is that one, whatever words now stand above it; and so at the top of a screen
  // that scrolls.
  #leaveOld(
    sights: readonly Shown[],
    matched: Match[],
    { rows, top, isAlternate }: Screen,
  ): readonly Occurrence[] {
    const found: Occurrence[] = [];
    const lowest = matched.findLastIndex((one) => one !== undefined);
    const isVisible = (i: number): boolean => (sights[i] as Shown).row >= top;
    // What was found in the scrollback may be a copy of what is on the screen.
    const taken = new Set(
      matched.filter(
        (one, i) =>
          typeof one === 'object' && (isVisible(i) || !this.memory.redrawn.has(markerKey(one.marker))),
      ),
    );
    const left = this.memory.known.filter((one) => !taken.has(one));
    for (const [i, { marker, row }] of sights.entries()) {
      if (matched[i] !== undefined) continue;
      const key = markerKey(marker);
      const isAbove = i < lowest || (isAlternate && row < TOP_ROWS);
      const isSame = (one: Occurrence): boolean =>
        isAbove
          ? isVisible(i) || !matched.includes(one)
          : isVisible(i) && this.#isBelowCopies(one, rows.slice(top, row));
      const at = left.findIndex((one) => markerKey(one.marker) === key && isSame(one));
      if (at < 0) continue;
      found.push(...left.splice(at, 1));
      matched[i] = OLD;
    }
    return found;
  }

  // On a main screen that is painted over and over, what stands in the scrollback was never right above it. It stood there when
  // the screen was last seen: what comes back after it was gone is said anew.
  #isBelowCopies({ seq, marker, context }: Occurrence, above: readonly string[]): boolean {
    if (!this.memory.redrawn.has(markerKey(marker))) return false;
    if (!this.memory.standing.some((one) => one.seq === seq)) return false;
    return context !== null && isSameContext(context, contextOf(above.join('\n')));
  }

  #isEcho(sight: Sight): boolean {
    if (this.deps.isMail(sight)) return true;
    const key = markerKey(sight.marker);
    const typedAt = this.#typed.get(key);
    this.#typed.delete(key);
    return typedAt !== undefined && this.deps.clock() - typedAt < TYPED_MS;
  }

  // Made wider or narrower, the screen breaks and cuts the words before a marker elsewhere: what stood there still does.
  #follow(sights: readonly Shown[], matched: Match[], { columns }: Screen): Effect[] {
    const last = this.memory.known.at(-1);
    // It may have been made so while nobody watched.
    const isFound = this.#columns === 0;
    const before = isFound
      ? this.memory.known.filter(
          (one) => one.columns > 0 && one.columns === last?.columns && one.columns !== columns,
        )
      : this.memory.shown.filter((one) => one !== undefined);
    const effects = [...follow(sights, matched, before)].map(([i, known]): Effect => {
      matched[i] = OLD;
      const context = (sights[i] as Shown).context;
      const also = [...(known.also ?? []).slice(1 - MOST_OTHERS), context];
      return { kind: 'known', occurrence: this.memory.replace(known, { also, columns }) };
    });
    const latest = this.memory.known.at(-1);
    if (latest && latest.columns !== columns)
      effects.push({ kind: 'known', occurrence: this.#learnWidth(latest, matched, columns) });
    return effects;
  }

  #learnWidth(known: Occurrence, matched: Match[], columns: number): Occurrence {
    const changed = this.memory.replace(known, { columns });
    for (const [i, one] of matched.entries()) if (one === known) matched[i] = changed;
    return changed;
  }

  // A program that clears the screen paints the same again, perhaps with other words before it; on the main screen tmux pushes
  // what stood there into the scrollback.
  #leaveRedrawn(sights: readonly Shown[], matched: Match[], { top, isAlternate }: Screen): Effect[] {
    const isCleared = this.#isCleared && !this.#isLost;
    const effects: Effect[] = [];
    const change = (known: Occurrence, more: Partial<Occurrence>): void => {
      const occurrence = this.memory.replace(known, more);
      for (const [i, one] of matched.entries()) if (one === known) matched[i] = occurrence;
      effects.push({ kind: 'known', occurrence });
    };
    const before =
      this.#isLost && !isAlternate ? this.memory.known.filter((one) => one.isCopied) : this.memory.standing;
    for (const [i, known] of isCleared || this.#isLost ? follow(sights, matched, before, top) : []) {
      if (!isAlternate) this.memory.redrawn.add(markerKey(known.marker));
      for (const [at, one] of matched.entries()) if (one === known) matched[at] = OLD;
      matched[i] = OLD;
      change(known, { context: (sights[i] as Shown).context, ...(!isAlternate && { isCopied: true }) });
    }
    if (isAlternate) return effects;
    const isRedrawn = (key: string): boolean => isCleared || this.memory.redrawn.has(key);
    for (const i of copies(sights, matched, this.memory.known, { top, isRedrawn })) {
      const key = markerKey((sights[i] as Shown).marker);
      this.memory.redrawn.add(key);
      matched[i] = OLD;
      const known = this.memory.known.findLast((one) => markerKey(one.marker) === key);
      if (known && !known.isCopied) change(known, { isCopied: true });
    }
    return effects;
  }

  // While it is painted anew what stood there may be gone for a moment.
  #stand(
    sights: readonly Shown[],
    { top }: Screen,
    moment: Moment,
    // Known by their place, whatever the words before them are now.
    old: readonly Occurrence[],
  ): void {
    const recognised = recognise(
      this.memory.known,
      sights.filter(({ row }) => row >= top),
    ).filter((one) => one !== undefined);
    const visible = [...old.filter(({ seq }) => !recognised.some((one) => one.seq === seq)), ...recognised];
    const isWhole = !this.#isCleared || moment === 'rest';
    const seqs = new Set(visible.map(({ seq }) => seq));
    const gone = isWhole ? [] : this.memory.standing.filter(({ seq }) => !seqs.has(seq));
    this.memory.standing = [...gone, ...visible];
    if (moment === 'rest') this.#isCleared = false;
    if (moment !== 'stale') this.#isLost = false;
  }

  #wasUnsure(sight: Sight): boolean {
    const key = markerKey(sight.marker);
    // Painted anew it may have other words before it.
    return this.#unsure.some(
      (one) => markerKey(one.marker) === key && (this.#isCleared || one.context === sight.context),
    );
  }

  #new(
    { marker, context }: { marker: Marker; context: string | null },
    more: { isReport: boolean; entry?: string; at?: number },
  ): Effect {
    const { isReport, entry = null, at = this.deps.clock() } = more;
    const columns = this.#columns;
    return { kind: 'new', occurrence: this.memory.add({ marker, context, at, entry, isReport, columns }) };
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
const placeOf = ({ marker, context }: Sight): string => `${markerKey(marker)}\n${context}`;

// As it is shown; put together where it was broken.
const quoted = ({ marker, row }: Shown, { rows }: Screen): string => {
  const line = rows[row]?.trim() ?? '';
  return line.includes(MARKER_END) ? line : spelled(marker);
};
