// Watches one session's pane for markers, whether or not anybody looks: takes its stream as it comes, looks at its screen where
// that is needed, and never makes it wait.
import fs from 'node:fs';
import type { Session, Tracker } from '../sessions/index.js';
import { putSignalMark, type SignalMarkTable, type Step, updateSignalMark } from '../store/index.js';
import { type Disposable, DisposableStore, disposable } from '../tmux/index.js';
import { type Effect, Marks, type MarksDeps } from './marks.js';
import { MOST_REMEMBERED, type Occurrence } from './occurrences.js';
import { readScreen } from './pane-screen.js';
import { RecordReader } from './record.js';
import type { Report, Reported } from './signal.js';

export interface WatchDeps extends MarksDeps {
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
  #looking: Promise<void> | undefined;
  // What stands there was said before the session was ours, or while nobody watched.
  #isFirst: boolean;
  #since: number;
  #foundUntil: number;

  constructor(
    readonly session: Session,
    readonly tracker: Tracker,
    readonly deps: WatchDeps,
  ) {
    const known = deps.table
      .of(session.id)
      .map(({ state, message, id, ...row }): Occurrence => ({ ...row, marker: { state, message, id } }));
    this.#isFirst = known.length === 0 && session.row.origin === 'adopted' && session.row.epoch === 1;
    this.#since = known.at(-1)?.at ?? session.row.created_at;
    this.#foundUntil = deps.clock() + FOUND_MS;
    this.#marks = new Marks(deps, known);
    this.#record = new RecordReader(session, deps.table);
    const { pane } = tracker;
    this.#own.add(disposable(() => clearTimeout(this.#flushTimer)));
    this.#own.add(disposable(() => clearTimeout(this.#soonTimer)));
    this.#own.add(pane.onOutput((data) => this.#output(data)));
    this.#own.add(pane.link.onResync(pane.id, () => this.#lost()));
    // At once: what is printed from now on is told from what stands there.
    void this.#look('moving');
    this.#arm(FLUSH_MS);
  }

  #output(data: Buffer): void {
    this.#outputs++;
    this.#unseen += data.length;
    this.#lastOutputAt = this.deps.clock();
    this.#arm(FLUSH_MS);
    this.#apply(this.#marks.output(data));
  }

  // Some of its output never came: the screen and the scrollback have it.
  #lost(): void {
    this.#unseen = Number.POSITIVE_INFINITY;
    this.#since = this.#lastOutputAt || this.deps.clock();
    this.#foundUntil = this.deps.clock() + FOUND_MS;
    this.#marks.detector.lose();
    this.#lookIn(SOON_MS);
  }

  #arm(ms: number): void {
    this.#flushTimer ??= setTimeout(() => this.#check(), ms);
  }

  // One timer runs on while output goes on, instead of one for each chunk.
  #check(): void {
    this.#flushTimer = undefined;
    this.#isWanted ||= this.#marks.detector.takeStirred();
    const left = this.#lastOutputAt + FLUSH_MS - this.deps.clock();
    if (left <= 0) this.#apply(this.#marks.quiet());
    if (this.#isWanted) void this.#look(left <= 0 ? 'rest' : 'moving');
    if (left > 0) this.#arm(left);
  }

  #lookIn(ms: number): void {
    this.#isWanted = true;
    this.#soonTimer ??= setTimeout(() => {
      this.#soonTimer = undefined;
      void this.#look('moving');
    }, ms);
  }

  // One look at a time.
  #look(moment: 'rest' | 'moving'): Promise<void> {
    this.#looking ??= this.#see(moment)
      .catch((error: unknown) => {
        // Its pane has gone, or its connection: then another watch, or a resync, looks again.
        this.#unseen = Number.POSITIVE_INFINITY;
        if (!this.#own.disposed)
          this.deps.log('screen not seen', { session: this.session.id, error: String(error) });
      })
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  async #see(moment: 'rest' | 'moving'): Promise<void> {
    await this.#readRecord();
    const { deps } = this;
    const asked = this.#outputs;
    const history = Math.min(MOST_HISTORY, Math.ceil(this.#unseen / BYTES_A_ROW) + 100);
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
    const isAtRest = moment === 'rest' && this.#outputs === asked;
    if (isAtRest) this.#isWanted = false;
    const now = isAtRest ? 'rest' : this.#outputs === shown ? 'moving' : 'stale';
    this.#apply(this.#marks.seen(screen, now, { isFirst: this.#isFirst }));
    this.#isFirst = false;
  }

  async #readRecord(): Promise<void> {
    const sizeOf = async (file: string): Promise<number | undefined> =>
      (await fs.promises.stat(file).catch(() => undefined))?.size;
    for await (const { found, read } of this.#record.read(sizeOf)) {
      const effects = found.flatMap((one) => this.#marks.recorded(one));
      if (this.#own.disposed) return;
      // The line counts as read with the last of what it says.
      await Promise.all([...this.#apply(effects.slice(0, -1)), ...this.#apply(effects.slice(-1), [read])]);
      if (effects.length === 0) await this.deps.write([read]);
    }
  }

  // What is to be kept goes to the disk in one unit with the report of it.
  #apply(effects: readonly Effect[], beside: readonly Step[] = []): Promise<unknown>[] {
    return effects.flatMap((effect) => {
      if (effect.kind === 'look') this.#lookIn(SOON_MS);
      else if (effect.kind === 'wait') this.#lookIn(WAIT_MS);
      else if (effect.kind === 'near_miss') this.deps.missed(effect.line);
      else return [this.#keep(effect, beside)];
      return [];
    });
  }

  async #keep(effect: Extract<Effect, { kind: 'new' | 'known' }>, beside: readonly Step[]): Promise<void> {
    const { deps, session } = this;
    const { seq, marker, context, at, entry } = effect.occurrence;
    try {
      if (effect.kind === 'known') {
        await deps.write([updateSignalMark({ session: session.id, seq, context, entry }), ...beside]);
        return;
      }
      const row = { session: session.id, seq, ...marker, context, at, entry };
      const steps = [...putSignalMark(row, MOST_REMEMBERED), ...beside];
      if (effect.isReport) await deps.report(this.#reportOf(effect.occurrence), steps);
      else await deps.write(steps);
    } catch (error) {
      deps.log('marker not saved', { session: session.id, error: String(error) });
    }
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
