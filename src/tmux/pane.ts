// A pane, addressed by its id alone: reading it, waiting on it, and typing into it only while it is safe.
import { CutOff, TmuxError } from './errors.js';
import type { Disposable } from './events.js';
import { DisposableStore, disposable } from './events.js';
import { type Guard, type Injection, inject } from './guard.js';
import type { SessionLink } from './link.js';
import { quote } from './quote.js';
import { type PaneView, parseView, viewCommands } from './view.js';

export interface CaptureOptions {
  // From the first line of the scrollback, not only the visible screen; a number asks for that many lines of it.
  history?: boolean | number;
  // With SGR sequences.
  styles?: boolean;
  // Rows that tmux itself wrapped come as one line, trailing blanks kept.
  join?: boolean;
}

// Keys by tmux's names, text as it would be typed, or a paste.
export type Stroke = { keys: readonly string[] } | { type: string } | { paste: string };

export type Waited<T> =
  | { outcome: 'seen'; value: T }
  | { outcome: 'deadline' }
  | { outcome: 'aborted' }
  | { outcome: 'gone'; reason: string };

// send-keys takes one argument a byte, and longer for each the more there are: 64 KiB take tmux seconds in commands of 4096, and
// a fraction of one in these.
const BYTES_PER_SEND = 64;

export class Pane {
  static #buffers = 0;

  constructor(
    readonly link: SessionLink,
    readonly id: string,
  ) {}

  // Types bytes exactly as they are, NUL and broken UTF-8 included. No brackets: a newline is what the program makes of it.
  async type(data: string | Uint8Array, guard: Guard = {}): Promise<Injection> {
    return inject(this.link, this.id, guard, this.#typing(Buffer.from(data as string)));
  }

  // Pastes a text, in brackets where the program asked for them, newlines as they are. `then` runs in the same breath.
  paste(text: string, guard: Guard = {}, then: readonly string[] = []): Promise<Injection> {
    return this.strokes([{ paste: text }], guard, then);
  }

  // Presses keys by tmux's names for them (`Enter`, `C-u`, `Left`).
  press(keys: readonly string[], guard: Guard = {}, then: readonly string[] = []): Promise<Injection> {
    return this.strokes([{ keys }], guard, then);
  }

  // Keys, typed text and pastes, one behind the other in one guarded list: nothing comes in between.
  async strokes(
    strokes: readonly Stroke[],
    guard: Guard = {},
    then: readonly string[] = [],
  ): Promise<Injection> {
    const buffers: string[] = [];
    const actions: string[] = [];
    for (const stroke of strokes) {
      if ('type' in stroke) actions.push(...this.#typing(Buffer.from(stroke.type)));
      else if ('keys' in stroke) actions.push(`send-keys -t ${this.id} ${stroke.keys.map(quote).join(' ')}`);
      else if (stroke.paste !== '') {
        const buffer = `sm-${process.pid}-${++Pane.#buffers}`;
        await this.link.command(`set-buffer -b ${buffer} -- ${quote(stroke.paste)}`);
        buffers.push(`delete-buffer -b ${buffer}`);
        actions.push(`paste-buffer -p -r -d -b ${buffer} -t ${this.id}`);
      }
    }
    try {
      return await inject(this.link, this.id, guard, [...actions, ...then], buffers);
    } catch (error) {
      for (const line of buffers) this.link.command(line).catch(() => {});
      throw error;
    }
  }

  #typing(bytes: Buffer): string[] {
    const actions: string[] = [];
    for (let i = 0; i < bytes.length; i += BYTES_PER_SEND) {
      const hex = bytes
        .subarray(i, i + BYTES_PER_SEND)
        .toString('hex')
        .replace(/../g, '$& ');
      actions.push(`send-keys -t ${this.id} -H ${hex.trimEnd()}`);
    }
    return actions;
  }

  async capture({ history = false, styles = false, join = false }: CaptureOptions = {}): Promise<string> {
    const start = history === true ? ' -S -' : history === false ? '' : ` -S -${history}`;
    const line = `capture-pane -p${styles ? ' -e' : ''}${join ? ' -J' : ''}${start} -t ${this.id}`;
    const lines = await this.link.command(line);
    return lines.map((bytes) => bytes.toString('utf8')).join('\n');
  }

  async format(format: string): Promise<string> {
    const lines = await this.link.command(`display-message -p -t ${this.id} ${quote(format)}`);
    return lines.map((bytes) => bytes.toString('utf8')).join('\n');
  }

  // Screen with styles, cursor, flags and attached clients, all of the same moment.
  async view(): Promise<PaneView> {
    // Asked for before tmux is: a key that goes there later is not on this screen.
    const keyedAt = this.link.keyedAt(this.id);
    const blocks = await this.link.list(viewCommands(this.id));
    const failed = blocks.find((block) => !block.ok);
    if (failed) throw new TmuxError('view', failed.lines.join(' '));
    const view = parseView(this.id, blocks, this.link.skewS, keyedAt);
    this.link.noteActivity(
      this.id,
      Math.max(view.sessionActivity, ...view.clients.map(({ activity }) => activity)),
    );
    return view;
  }

  onOutput(listener: (data: Buffer) => void): Disposable {
    return this.link.onOutput(this.id, listener);
  }

  // Looks once now and again after each output, until `look` finds something (not undefined) or the deadline passes.
  async waitUntil<T>(
    look: () => Promise<T | undefined>,
    deadlineMs: number,
    signal?: AbortSignal,
  ): Promise<Waited<T>> {
    const own = new DisposableStore();
    let changed = true;
    let wake = (): void => {};
    const again = (): void => {
      changed = true;
      wake();
    };
    own.add(this.onOutput(again));
    own.add(this.link.onResync(this.id, again));
    own.add(this.link.onNotification((event) => 'pane' in event && event.pane === this.id && again()));
    own.add(this.link.onState(again));
    signal?.addEventListener('abort', again);
    own.add(disposable(() => signal?.removeEventListener('abort', again)));
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      wake();
    }, deadlineMs);
    own.add(disposable(() => clearTimeout(timer)));
    try {
      for (;;) {
        changed = false;
        if (signal?.aborted) return { outcome: 'aborted' };
        const { state } = this.link;
        if (state.kind === 'gone') return { outcome: 'gone', reason: state.reason };
        const value = state.kind === 'up' ? await look() : undefined;
        if (value !== undefined) return { outcome: 'seen', value };
        // What nobody could look for is not known to be missing.
        if (late && state.kind !== 'up') throw new CutOff('wait', `not connected: ${state.kind}`);
        if (late) return { outcome: 'deadline' };
        if (!changed) await new Promise<void>((resolve) => (wake = resolve));
      }
    } catch (error) {
      const isLost = this.link.state.kind === 'down' || this.link.state.kind === 'connecting';
      if (error instanceof TmuxError && error.isGone && !isLost)
        return { outcome: 'gone', reason: error.detail };
      throw error;
    } finally {
      own.dispose();
    }
  }

  // Waits for bytes to come by in what the pane prints from now on, wherever the chunks are cut.
  waitForOutput(test: (soFar: Buffer) => boolean, deadlineMs: number): Promise<Waited<Buffer>> {
    const chunks: Buffer[] = [];
    const reading = this.onOutput((data) => chunks.push(data));
    const look = async (): Promise<Buffer | undefined> => {
      const all = Buffer.concat(chunks);
      return test(all) ? all : undefined;
    };
    return this.waitUntil(look, deadlineMs).finally(() => reading.dispose());
  }

  // Waits until the pane has printed nothing for `gapMs`, at most `deadlineMs`.
  waitForGap(gapMs: number, deadlineMs: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        reading.dispose();
        clearTimeout(gap);
        clearTimeout(deadline);
        resolve();
      };
      let gap = setTimeout(finish, gapMs);
      const deadline = setTimeout(finish, deadlineMs);
      const reading = this.onOutput(() => {
        clearTimeout(gap);
        gap = setTimeout(finish, gapMs);
      });
    });
  }
}
