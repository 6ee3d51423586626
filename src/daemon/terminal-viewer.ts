// One viewer of a session's pane: a picture of it, then all that it prints, joined by the number of bytes printed; a viewer
// that falls behind gets a new picture instead of what it missed.
import type { Painted, Session, Tracker } from '../sessions/index.js';
import { type Disposable, DisposableStore } from '../tmux/index.js';

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
  // Keys were not typed.
  | { type: 'refused'; reason: string };

// Where frames go.
export interface ViewerLine {
  frame(frame: ViewerFrame): void;
  // `sent` is called when the bytes have left.
  bytes(data: Buffer, sent: () => void): void;
  // How many bytes have not left yet.
  readonly waiting: number;
}

export const SCROLLBACK = 5000;
// More than this not sent: no more output until it has drained.
export const MOST_WAITING = 1024 * 1024;
// What is printed in short order goes as one frame.
const GATHER_MS = 8;
// More than this within so long is a flood, which nobody can read: pictures instead, with little scrollback, and a whole one
// when it is over.
const FLOOD_BYTES = 256 * 1024;
const FLOOD_MS = 100;
const PICTURE_MS = 200;
const LIGHT_SCROLLBACK = 50;
const CALM_MS = 300;

type Phase =
  // No pane to be seen.
  | { kind: 'blind' }
  // A picture is being taken: what is printed since belongs behind it.
  | { kind: 'looking'; since: Chunk[] }
  | { kind: 'live' }
  // Nothing goes until a new picture is taken: soon, or once all has left that was sent.
  | { kind: 'flooded' }
  | { kind: 'behind' };

interface Chunk {
  seq: number;
  data: Buffer;
}

export class TerminalViewer implements Disposable {
  readonly #session: Session;
  readonly #line: ViewerLine;
  #phase: Phase = { kind: 'blind' };
  #following: { tracker: Tracker; own: DisposableStore } | undefined;
  #size = { columns: 0, rows: 0 };
  #gathered: Chunk[] = [];
  #timer: NodeJS.Timeout | undefined;
  // Takes a picture later: during a flood, or the whole one after it.
  #pictureTimer: NodeJS.Timeout | undefined;
  #sentAt = 0;
  #burst = { since: 0, bytes: 0 };
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
    if (this.#isOver || tracker === this.#following?.tracker) return;
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
    this.#forget();
    const phase: Phase = { kind: 'looking', since: [] };
    this.#phase = phase;
    tracker
      .painted(scrollback, () => phase.since.splice(0))
      .then(
        (painted) => {
          // Another look has begun since.
          if (this.#phase !== phase || this.#isOver) return;
          this.#show(painted, phase.since);
          if (scrollback < SCROLLBACK) this.#later(CALM_MS, SCROLLBACK);
        },
        (error: unknown) => {
          // The link comes back, or the session is told to be gone.
          if (this.#phase !== phase) return;
          this.#phase = { kind: 'blind' };
          if (tracker.pane.link.state.kind === 'up')
            this.#say({ type: 'state', state: 'gone', reason: String((error as Error).message) });
        },
      );
  }

  #show({ paint, seq, columns, rows, alternate, title }: Painted, since: readonly Chunk[]): void {
    const isResized = this.#size.columns > 0 && (this.#size.columns !== columns || this.#size.rows !== rows);
    if (isResized) this.#line.frame({ type: 'resized', columns, rows });
    this.#size = { columns, rows };
    this.#line.frame({ type: 'snapshot', seq, columns, rows, alternate, title });
    this.#line.bytes(paint, () => this.#sent());
    this.#phase = { kind: 'live' };
    this.#say({ type: 'state', state: 'live', reason: null });
    for (const chunk of since) this.#printedLive(chunk);
  }

  #printed(tracker: Tracker, data: Buffer): void {
    const chunk = { seq: tracker.printedBytes - data.length, data };
    if (this.#phase.kind === 'looking') this.#phase.since.push(chunk);
    else this.#printedLive(chunk);
  }

  #printedLive(chunk: Chunk): void {
    if (this.#phase.kind === 'live') this.#gather(chunk);
  }

  #later(ms: number, scrollback: number): void {
    clearTimeout(this.#pictureTimer);
    this.#pictureTimer = setTimeout(() => this.look(scrollback), ms);
  }

  #isFlood({ data }: Chunk): boolean {
    const now = Date.now();
    if (now - this.#burst.since > FLOOD_MS) this.#burst = { since: now, bytes: 0 };
    this.#burst.bytes += data.length;
    return this.#burst.bytes > FLOOD_BYTES;
  }

  // The first goes at once, so that the echo of a key is not late.
  #gather(chunk: Chunk): void {
    if (this.#isFlood(chunk)) {
      this.#forget();
      this.#phase = { kind: 'flooded' };
      this.#later(PICTURE_MS, LIGHT_SCROLLBACK);
      return;
    }
    this.#gathered.push(chunk);
    if (this.#timer) return;
    const waitMs = Math.max(0, this.#sentAt + GATHER_MS - Date.now());
    this.#timer = setTimeout(() => this.#flush(), waitMs);
  }

  #flush(): void {
    this.#timer = undefined;
    const [first] = this.#gathered;
    if (!first || this.#phase.kind !== 'live') return;
    const head = Buffer.alloc(8);
    head.writeBigUInt64BE(BigInt(first.seq));
    const frame = Buffer.concat([head, ...this.#gathered.map(({ data }) => data)]);
    this.#gathered = [];
    this.#sentAt = Date.now();
    this.#line.bytes(frame, () => this.#sent());
    if (this.#line.waiting <= MOST_WAITING) return;
    this.#forget();
    this.#phase = { kind: 'behind' };
  }

  #sent(): void {
    if (this.#phase.kind === 'behind' && this.#line.waiting === 0) this.look();
  }

  // Panes come and go beside it; only its own size matters.
  async #checkSize(tracker: Tracker): Promise<void> {
    const text = await tracker.pane.format('#{pane_width} #{pane_height}').catch(() => '');
    const [columns, rows] = text.split(' ').map(Number);
    const { kind } = this.#phase;
    if (this.#isOver || !columns || !rows || (kind !== 'live' && kind !== 'looking')) return;
    if (columns !== this.#size.columns || rows !== this.#size.rows) this.look();
  }

  // The same thing is said once.
  #say(frame: ViewerFrame): void {
    const text = JSON.stringify(frame);
    if (text === this.#said) return;
    this.#said = text;
    this.#line.frame(frame);
  }

  #forget(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#pictureTimer);
    this.#timer = undefined;
    this.#gathered = [];
  }

  dispose(): void {
    this.#isOver = true;
    this.#forget();
    this.#following?.own.dispose();
  }
}
