// Watches one session's pane for markers, whether or not anybody looks: takes its stream as it comes, looks at its screen where
// that is needed, and never makes it wait.
import fs from 'node:fs';
import type { Session, Tracker } from '../sessions/index.js';
import { putSignalMark, type SignalMarkTable, type Step, updateSignalMark } from '../store/index.js';
import { type Disposable, DisposableStore, disposable } from '../tmux/index.js';
import { HeldOutput } from './held-output.js';
import { occurrenceOf, rowOf } from './mark-rows.js';
import { type Effect, Marks, type MarksDeps } from './marks.js';
import { MOST_REMEMBERED, type Occurrence } from './occurrences.js';
import { readScreen } from './pane-screen.js';
import { RecordReader } from './record.js';
import type { Report, Reported } from './signal.js';

export interface WatchDeps extends MarksDeps {
  // When somebody was last known to watch it.
  watchedUntil: number;
  table: SignalMarkTable;
  write: (steps: readonly Step[]) => Promise<unknown>;
  // Resolves when it is on disk, the steps with it.
  report: (report: Report, beside: readonly Step[]) => Promise<Reported>;
  missed: (line: string) => void;
  log: (message: string, details: Record<string, unknown>) => void;
}

// A line that is not finished counts after so long; a program that paints without end is looked at as often.
export const FLUSH_MS = 500;
// Painting a screen takes a few milliseconds.
const SOON_MS = 30;
// And writing a record a little longer.
const WAIT_MS = 150;
// Of the scrollback: on the first look; and for so many bytes a row, on those that follow.
const MOST_HISTORY = 5000;
const BYTES_A_ROW = 16;
// What could not be written is looked for again after so long.
const RETRY_MS = 5000;
// While so many of one session wait to be written, its output is held.
export const MOST_WAITING = 1000;
// So long after it began, or came back, what is found may have been said while nobody watched.
const FOUND_MS = 2000;

export class Watch implements Disposable {
  readonly #own = new DisposableStore();
  readonly #marks: Marks;
  readonly #record: RecordReader;
  #flushTimer: NodeJS.Timeout | undefined;
  #soonTimer: NodeJS.Timeout | undefined;
  #lastOutputAt = 0;
  // Chunks that came, and bytes since the last look.
  #outputs = 0;
  #unseen = Number.POSITIVE_INFINITY;
  // The screen is to be seen once it is at rest.
  #isWanted = true;
  #isLooking = false;
  // A look that was asked for meanwhile: one at rest, where any of them was.
  #askedAgain: 'rest' | 'moving' | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  #waiting = 0;
  readonly #writes = new Set<Promise<boolean>>();
  readonly #held = new HeldOutput();
  // The screen was to be seen while it was ahead of what was read.
  #isPutOff = false;
  #isRecordUnread = false;
  // What stands there was said before the session was ours, or while nobody watched.
  #isFirst: boolean;
  #since: number;
  #foundUntil: number;

  constructor(
    readonly session: Session,
    readonly tracker: Tracker,
    readonly deps: WatchDeps,
  ) {
    const known = deps.table.of(session.id).map(occurrenceOf);
    this.#isFirst = known.length === 0 && session.row.origin === 'adopted' && session.row.epoch === 1;
    this.#since = Math.max(known.at(-1)?.at ?? session.row.created_at, deps.watchedUntil);
    this.#foundUntil = deps.clock() + FOUND_MS;
    const hasRecord =
      session.profile.record !== undefined &&
      (deps.table.record(session.id) !== undefined || known.some(({ entry }) => entry !== null));
    this.#marks = new Marks(deps, known, { isPainted: true, hasRecord });
    this.#record = new RecordReader(session, deps.table);
    const { pane } = tracker;
    this.#own.add(disposable(() => clearTimeout(this.#flushTimer)));
    this.#own.add(disposable(() => clearTimeout(this.#soonTimer)));
    this.#own.add(disposable(() => clearTimeout(this.#retryTimer)));
    this.#own.add(pane.onOutput((data) => this.#output(data)));
    this.#own.add(pane.link.onResync(pane.id, () => this.#lost()));
    // At once: what is printed from now on is told from what stands there.
    this.#look('moving');
    this.#arm(FLUSH_MS);
  }

  #output(data: Buffer): void {
    this.#outputs++;
    this.#unseen += data.length;
    this.#lastOutputAt = this.deps.clock();
    this.#arm(FLUSH_MS);
    if (this.#isBehind) this.#held.put(data);
    else this.#apply(this.#marks.output(data));
  }

  // More is to be written than the disk has taken: the screen is ahead of what was read, so it tells nothing.
  get #isBehind(): boolean {
    return this.#waiting >= MOST_WAITING || !this.#held.isEmpty;
  }

  #catchUp(): void {
    if (this.#held.isEmpty && !this.#isPutOff) return;
    if (this.#waiting > MOST_WAITING / 2 || this.#own.disposed) return;
    while (this.#waiting < MOST_WAITING) {
      const next = this.#held.take();
      if (next === 'dropped') this.#lost();
      else if (next) this.#apply(this.#marks.output(next));
      if (next === undefined || next === 'dropped') break;
    }
    if (this.#isBehind) return;
    this.#isPutOff = false;
    this.#lookIn(SOON_MS);
    this.#arm(FLUSH_MS);
  }

  // Some of its output never came: the screen and the scrollback have it.
  #lost(): void {
    // What came before is read first.
    if (this.#isBehind) {
      this.#held.cut();
      return;
    }
    this.#unseen = Number.POSITIVE_INFINITY;
    this.#since = this.#lastOutputAt || this.deps.clock();
    this.#foundUntil = this.deps.clock() + FOUND_MS;
    this.#marks.lose();
    this.#lookIn(SOON_MS);
  }

  #arm(ms: number): void {
    this.#flushTimer ??= setTimeout(() => this.#check(), ms);
  }

  // One timer runs on while output goes on, instead of one for each chunk.
  #check(): void {
    this.#flushTimer = undefined;
    this.#isWanted ||= this.#marks.detector.takeStirred();
    const left = this.#untilRest();
    if (this.#isBehind) this.#isPutOff = true;
    else if (left <= 0) this.#apply(this.#marks.quiet());
    if (this.#isWanted) this.#look(left <= 0 ? 'rest' : 'moving');
    if (left > 0) this.#arm(left);
  }

  #untilRest(): number {
    return this.#lastOutputAt + FLUSH_MS - this.deps.clock();
  }

  #lookIn(ms: number): void {
    this.#isWanted = true;
    this.#soonTimer ??= setTimeout(() => {
      this.#soonTimer = undefined;
      this.#look('moving');
    }, ms);
  }

  // One look at a time; what is asked for meanwhile may have come too late for the one that is under way.
  #look(moment: 'rest' | 'moving'): void {
    if (this.#isLooking) {
      this.#askedAgain = this.#askedAgain === 'rest' ? 'rest' : moment;
      return;
    }
    this.#isLooking = true;
    this.#see(moment)
      .catch((error: unknown) => {
        // Its pane has gone, or its connection: then another watch, or a resync, looks again.
        this.#unseen = Number.POSITIVE_INFINITY;
        if (!this.#own.disposed)
          this.deps.log('screen not seen', { session: this.session.id, error: String(error) });
      })
      .finally(() => {
        this.#isLooking = false;
        const asked = this.#askedAgain;
        this.#askedAgain = undefined;
        if (!asked || this.#own.disposed) return;
        if (asked === 'rest' && this.#untilRest() <= 0) this.#look('rest');
        else this.#lookIn(SOON_MS);
      });
  }

  async #see(moment: 'rest' | 'moving'): Promise<void> {
    await this.#tryRecord();
    const { deps } = this;
    const asked = this.#outputs;
    const unseen = this.#unseen;
    const history = Math.min(MOST_HISTORY, Math.ceil(unseen / BYTES_A_ROW) + 100);
    this.#unseen = 0;
    let shown = asked;
    const seen = (): void => {
      shown = this.#outputs;
    };
    const screen = await readScreen(this.tracker.pane, {
      history,
      prompt: deps.prompt(),
      now: deps.clock(),
      seen,
    });
    if (this.#own.disposed) return;
    if (this.#isBehind) {
      this.#unseen += unseen;
      this.#isPutOff = true;
      return;
    }
    const isAtRest = moment === 'rest' && this.#outputs === asked;
    if (isAtRest) this.#isWanted = false;
    const now = isAtRest ? 'rest' : this.#outputs === shown ? 'moving' : 'stale';
    const effects = this.#marks.seen(screen, now, { isFirst: this.#isFirst });
    this.#isFirst = false;
    // The next look that these ask for has to reach as far up.
    if (effects.some(({ kind }) => kind === 'look' || kind === 'wait')) this.#unseen += unseen;
    this.#apply(effects);
  }

  // The screen is looked at whether or not the record can be read.
  async #tryRecord(): Promise<void> {
    try {
      await this.#readRecord();
      this.#isRecordUnread = false;
    } catch (error) {
      if (!this.#isRecordUnread)
        this.deps.log('record not read', { session: this.session.id, error: String(error) });
      this.#isRecordUnread = true;
    }
  }

  async #readRecord(): Promise<void> {
    const sizeOf = async (file: string): Promise<number | undefined> =>
      (await fs.promises.stat(file).catch(() => undefined))?.size;
    for await (const { found, read } of this.#record.read(sizeOf)) {
      const effects = found.flatMap((one) => this.#marks.recorded(one));
      if (this.#own.disposed) return;
      // The line counts as read with the last of what it says, once the rest is kept. Else it is read again from this line on.
      const first = await Promise.all(this.#apply(effects.slice(0, -1)));
      if (first.includes(false)) return;
      const last = await Promise.all(this.#apply(effects.slice(-1), [read]));
      if (effects.length === 0) await this.deps.write([read]);
      if (last.includes(false)) return;
    }
  }

  // What is to be kept goes to the disk in one unit with the report of it.
  #apply(effects: readonly Effect[], beside: readonly Step[] = []): Promise<boolean>[] {
    return effects.flatMap((effect) => {
      if (effect.kind === 'look') this.#lookIn(SOON_MS);
      else if (effect.kind === 'wait') this.#lookIn(WAIT_MS);
      else if (effect.kind === 'near_miss') this.deps.missed(effect.line);
      else return [this.#started(this.#keep(effect, beside))];
      return [];
    });
  }

  #started(write: Promise<boolean>): Promise<boolean> {
    this.#writes.add(write);
    void write.finally(() => this.#writes.delete(write));
    return write;
  }

  // Nothing of it is on its way to the disk.
  get isSettled(): boolean {
    return this.#writes.size === 0;
  }

  async settled(): Promise<void> {
    while (!this.isSettled) await Promise.all(this.#writes);
  }

  // False where it could not be written.
  async #keep(effect: Extract<Effect, { kind: 'new' | 'known' }>, beside: readonly Step[]): Promise<boolean> {
    const { deps, session } = this;
    const { occurrence } = effect;
    const row = rowOf(session.id, occurrence);
    this.#waiting++;
    try {
      if (effect.kind === 'known') await deps.write([updateSignalMark(row), ...beside]);
      else await this.#keepNew(occurrence, [...putSignalMark(row, MOST_REMEMBERED), ...beside]);
      return true;
    } catch (error) {
      deps.log('marker not saved', { session: session.id, error: String(error) });
      if (effect.kind === 'new') this.#retry(occurrence);
      return false;
    } finally {
      this.#waiting--;
      this.#catchUp();
    }
  }

  async #keepNew(occurrence: Occurrence, steps: readonly Step[]): Promise<void> {
    const { deps } = this;
    if (!occurrence.isReport) {
      await deps.write(steps);
      return;
    }
    const reported = await deps.report(this.#reportOf(occurrence), steps);
    // Nothing was written with it; of a session that has been removed nothing is to be.
    if (reported.outcome === 'refused' && !this.#own.disposed) await deps.write(steps);
  }

  // As if it had not been seen; the screen and the scrollback, or the record, still have it.
  #retry(occurrence: Occurrence): void {
    this.#marks.memory.forget(occurrence);
    this.#unseen = Number.POSITIVE_INFINITY;
    if (this.#own.disposed) return;
    this.#retryTimer ??= setTimeout(() => this.#again(), RETRY_MS);
  }

  #again(): void {
    this.#retryTimer = this.#waiting > 0 ? setTimeout(() => this.#again(), RETRY_MS) : undefined;
    if (this.#retryTimer) return;
    // Those before them made room for them, and are remembered on disk alone.
    this.#marks.memory.reload(this.deps.table.of(this.session.id).map(occurrenceOf));
    this.#lookIn(0);
    this.#arm(FLUSH_MS);
  }

  #reportOf({ seq, marker, at, entry }: Occurrence): Report {
    return {
      session: this.session.id,
      state: marker.state,
      message: marker.message,
      ...(marker.id !== null && { id: marker.id }),
      door: entry === null ? 'marker' : 'transcript',
      key: entry ?? String(seq),
      at,
      ...(entry === null && this.deps.clock() < this.#foundUntil && { since: this.#since }),
    };
  }

  dispose(): void {
    this.#own.dispose();
  }
}
