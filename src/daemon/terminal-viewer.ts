// One viewer of a session's pane: a picture of it, then all that it prints, joined by the number of bytes printed; a viewer
// that falls behind gets a new picture instead of what it missed.
import type { Painted, Session, Tracker } from '../sessions/index.js';
import { type Disposable, DisposableStore } from '../tmux/index.js';
import { type Chunk, OutputFrames } from './output-frames.js';

// What goes to the viewer beside bytes.
export type ViewerFrame =
  | {
      type: 'snapshot';
      seq: number;
      columns: number;
      rows: number;
      alternate: boolean;
      title: string;
    }
  | { type: 'resized'; columns: number; rows: number }
  | { type: 'state'; state: 'live' | 'gone' | 'host_down'; reason: string | null }
  // Keys wait: a message is being delivered.
  | { type: 'held'; on: boolean }
  // Keys were not typed, or the size is not another.
  | { type: 'refused'; reason: string; field?: string; value?: unknown; expected?: string };

// Where frames go. Whenever one has left, `sent` of the viewer is called.
export interface ViewerLine {
  frame(frame: ViewerFrame): void;
  bytes(data: Buffer): void;
  // How many bytes have not left yet.
  readonly waiting: number;
}

export const SCROLLBACK = 5000;
// More than this not sent: no more output until it has drained.
export const MOST_WAITING = 1024 * 1024;
// During a flood there are pictures instead, with little scrollback, and a whole one when it is over.
const PICTURE_MS = 200;
const LIGHT_SCROLLBACK = 50;
const CALM_MS = 300;

type Phase =
  // No pane to be seen.
  | { kind: 'blind' }
  // A picture is being taken: what is printed since belongs behind it.
  | Looking
  | { kind: 'live' }
  // Nothing goes until a new picture is taken: soon, or once all has left that was sent.
  | { kind: 'flooded' }
  | { kind: 'behind' };

// One at a time. Asked for again before it has begun it is the picture that was asked for; later, another follows it.
interface Looking {
  kind: 'looking';
  since: Chunk[];
  scrollback: number;
  hasBegun: boolean;
  // Lines of scrollback of the one that follows; -1: none does.
  again: number;
  // The size that the pane was seen to have meanwhile.
  size: Size | undefined;
}

interface Size {
  columns: number;
  rows: number;
}

export class TerminalViewer implements Disposable {
  readonly #session: Session;
  readonly #line: ViewerLine;
  #phase: Phase = { kind: 'blind' };
  #following: { tracker: Tracker; own: DisposableStore } | undefined;
  #size: Size = { columns: 0, rows: 0 };
  readonly #frames = new OutputFrames((frame) => this.#flushed(frame));
  // Takes a picture later: during a flood, or the whole one after it.
  #pictureTimer: NodeJS.Timeout | undefined;
  #isOver = false;
  #said = '';

  constructor(session: Session, line: ViewerLine) {
    this.#session = session;
    this.#line = line;
    this.follow();
  }

  // Whichever tracker the session has now.
  follow(): void {
    const { tracker } = this.#session;
    if (this.#isOver || (tracker && tracker === this.#following?.tracker)) return;
    this.#following?.own.dispose();
    this.#following = undefined;
    this.#phase = { kind: 'blind' };
    if (!tracker) {
      const { state, state_reason: reason } = this.#session.row;
      this.#say({ type: 'state', state: state === 'gone' ? 'gone' : 'host_down', reason });
      return;
    }
    const own = new DisposableStore();
    this.#following = { tracker, own };
    const { link } = tracker.pane;
    own.add(tracker.pane.onOutput((data) => this.#printed(tracker, data)));
    own.add(link.onResync(tracker.paneId, () => this.look()));
    own.add(
      link.onState((state) => {
        if (state.kind === 'down') this.#say({ type: 'state', state: 'host_down', reason: state.reason });
        else if (state.kind === 'up') this.look();
      }),
    );
    own.add(
      link.onNotification((event) => {
        if (event.type === 'layout-change') void this.#checkSize(tracker);
      }),
    );
    this.look();
  }

  // Takes a new picture, and goes on from there.
  look(scrollback = SCROLLBACK): void {
    const tracker = this.#following?.tracker;
    if (!tracker || this.#isOver || (this.#phase.kind === 'behind' && this.#line.waiting > 0)) return;
    if (this.#phase.kind === 'looking') {
      const { hasBegun, scrollback: under, again } = this.#phase;
      if (hasBegun || scrollback > under) this.#phase.again = Math.max(again, scrollback);
      return;
    }
    this.#forget();
    if (this.#line.waiting > MOST_WAITING) {
      this.#phase = { kind: 'behind' };
      return;
    }
    const phase: Looking = {
      kind: 'looking',
      since: [],
      scrollback,
      hasBegun: false,
      again: -1,
      size: undefined,
    };
    this.#phase = phase;
    const begun = (): void => {
      phase.since.length = 0;
      phase.hasBegun = true;
      phase.size = undefined;
    };
    tracker.painted(scrollback, begun).then(
      (painted) => {
        // Another pane is followed since.
        if (this.#phase !== phase || this.#isOver) return;
        this.#show(painted, phase.since);
        // A flood has pictures of its own.
        if (!this.#isLive()) return;
        if (isOther(phase.size, painted)) this.look();
        else if (phase.again >= 0) this.look(phase.again);
        else if (scrollback < SCROLLBACK) this.#later(CALM_MS, SCROLLBACK);
      },
      (error: unknown) => {
        if (this.#phase !== phase) return;
        this.#phase = { kind: 'blind' };
        this.#sayWhy(tracker, error as Error);
      },
    );
  }

  // Why there is no picture: the link comes back, or the session is told to be gone.
  #sayWhy({ pane }: Tracker, { message }: Error): void {
    const { state } = pane.link;
    if (state.kind === 'up') this.#say({ type: 'state', state: 'gone', reason: message });
    else if (state.kind === 'down') this.#say({ type: 'state', state: 'host_down', reason: state.reason });
    else if (state.kind === 'connecting') this.#say({ type: 'state', state: 'host_down', reason: null });
  }

  #show({ paint, seq, columns, rows, alternate, title }: Painted, since: readonly Chunk[]): void {
    if (this.#size.columns > 0 && isOther(this.#size, { columns, rows }))
      this.#line.frame({ type: 'resized', columns, rows });
    this.#size = { columns, rows };
    this.#line.frame({ type: 'snapshot', seq, columns, rows, alternate, title });
    this.#line.bytes(paint);
    this.#phase = { kind: 'live' };
    this.#say({ type: 'state', state: 'live', reason: null });
    for (const chunk of since) this.#printedLive(chunk);
  }

  #isLive(): boolean {
    return this.#phase.kind === 'live';
  }

  #printed(tracker: Tracker, data: Buffer): void {
    const chunk = { seq: tracker.printedBytes - data.length, data };
    if (this.#phase.kind === 'looking') this.#phase.since.push(chunk);
    else this.#printedLive(chunk);
  }

  #printedLive(chunk: Chunk): void {
    if (!this.#isLive() || this.#frames.add(chunk) === 'kept') return;
    this.#forget();
    this.#phase = { kind: 'flooded' };
    this.#later(PICTURE_MS, LIGHT_SCROLLBACK);
  }

  #later(ms: number, scrollback: number): void {
    clearTimeout(this.#pictureTimer);
    this.#pictureTimer = setTimeout(() => this.look(scrollback), ms);
  }

  #flushed(frame: Buffer): void {
    this.#line.bytes(frame);
    if (this.#line.waiting <= MOST_WAITING) return;
    this.#forget();
    this.#phase = { kind: 'behind' };
  }

  // All that was sent may have left.
  sent(): void {
    if (this.#phase.kind === 'behind' && this.#line.waiting === 0) this.look();
  }

  // Panes come and go beside it; only its own size matters.
  async #checkSize(tracker: Tracker): Promise<void> {
    const text = await tracker.pane.format('#{pane_width} #{pane_height}').catch(() => '');
    const [columns, rows] = text.split(' ').map(Number);
    if (this.#isOver || !columns || !rows) return;
    if (this.#phase.kind === 'looking') this.#phase.size = { columns, rows };
    else if (this.#isLive() && isOther(this.#size, { columns, rows })) this.look();
  }

  // The same thing is said once.
  #say(frame: ViewerFrame): void {
    const text = JSON.stringify(frame);
    if (text === this.#said) return;
    this.#said = text;
    this.#line.frame(frame);
  }

  #forget(): void {
    clearTimeout(this.#pictureTimer);
    this.#frames.drop();
  }

  dispose(): void {
    this.#isOver = true;
    this.#forget();
    this.#following?.own.dispose();
  }
}

const isOther = (one: Size | undefined, { columns, rows }: Size): boolean =>
  one !== undefined && (one.columns !== columns || one.rows !== rows);
