// What a pane has printed since it is followed: how much, what of it tmux does not tell, and pictures joined to it by its count.
import { paint } from '../terminal/paint.js';
import { StreamState } from '../terminal/stream-state.js';
import { type Pane, parseSnapshot, type Snapshot, snapshotCommands } from '../tmux/index.js';
import { BracketedPasteWatch } from './bracketed.js';

// How a pane looks after so many bytes of its output, and bytes that paint it so into a fresh terminal.
export interface Painted extends Pick<Snapshot, 'columns' | 'rows' | 'alternate' | 'title'> {
  seq: number;
  paint: Buffer;
}

const FOCUS_EVENTS = 1004;

export class PaneStream {
  readonly #bracketed = new BracketedPasteWatch();
  readonly #state = new StreamState();
  #bytes = 0;
  #changes = 0;

  get bracketed(): boolean | undefined {
    return this.#bracketed.on;
  }

  get bytes(): number {
    return this.#bytes;
  }

  // Another number whenever the screen may be another.
  get changes(): number {
    return this.#changes;
  }

  feed(data: Buffer): void {
    this.#bytes += data.length;
    this.#bracketed.feed(data);
    this.#state.feed(data);
    this.changed();
  }

  // Some of it was never told.
  skip(): void {
    this.#state.skip();
    this.changed();
  }

  changed(): void {
    this.#changes++;
  }

  // The pane with so many lines of its scrollback. `begun` is told when all that it had printed by then has been passed on:
  // what comes later is not in the picture.
  async painted(pane: Pane, scrollback: number, begun?: () => void): Promise<Painted> {
    let seq: number | undefined;
    let stream = this.#state.facts();
    const blocks = await pane.link.list(snapshotCommands(pane.id, scrollback), () => {
      if (seq !== undefined) return;
      seq = this.#bytes;
      stream = this.#state.facts();
      begun?.();
    });
    const snapshot = parseSnapshot(blocks);
    const bracketed = this.bracketed ?? false;
    const focus = stream.modes.get(FOCUS_EVENTS) ?? false;
    const { columns, rows, alternate, title } = snapshot;
    const bytes = paint({ ...snapshot, bracketed, focus }, stream);
    return { seq: seq ?? this.#bytes, columns, rows, alternate, title, paint: bytes };
  }
}
