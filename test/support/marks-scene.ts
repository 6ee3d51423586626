// The markers of one session with the screen of a real terminal emulator.
import xterm from '@xterm/headless';
import { type Effect, Marks, type MarksDeps, type Moment } from '../../src/signals/marks.js';
import type { Screen } from '../../src/signals/screen.js';

export const COLUMNS = 40;

// A terminal of which all rows are read, as tmux gives them: the scrollback and the screen.
class Shown {
  readonly #terminal: xterm.Terminal;
  constructor(columns = COLUMNS, rows = 12) {
    this.#terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 1000, allowProposedApi: true });
  }
  write(bytes: Buffer): void {
    // The promise of the public call comes a timer later, and there are thousands of them.
    (this.#terminal as unknown as { _core: { writeSync(data: Uint8Array): void } })._core.writeSync(bytes);
  }
  // As tmux does before it clears the main screen: all that stands on it goes into the scrollback.
  pushUp(): void {
    const { active } = this.#terminal.buffer;
    const rows = Array.from({ length: this.#terminal.rows }, (_, y) =>
      active.getLine(active.baseY + y)?.translateToString(true),
    );
    const used = rows.findLastIndex((row) => row !== '') + 1;
    this.write(Buffer.from(`\x1b[999;1H${'\n'.repeat(used)}`));
  }
  resize(columns: number): void {
    this.#terminal.resize(columns, this.#terminal.rows);
  }
  screen(prompt = ''): Screen {
    const { active } = this.#terminal.buffer;
    const rows = Array.from(
      { length: active.length },
      (_, y) => active.getLine(y)?.translateToString(true) ?? '',
    );
    const cursor = { x: active.cursorX, y: active.baseY + active.cursorY };
    return {
      rows,
      columns: this.#terminal.cols,
      top: active.baseY,
      cursor,
      prompt,
      isAlternate: active.type === 'alternate',
      isLineOpen: false,
    };
  }
}

export const DEPS: MarksDeps = {
  isState: (word) => ['working', 'idle', 'completed', 'error', 'needs_input'].includes(word),
  isMail: () => false,
  prompt: () => '',
  clock: () => 1_000_000,
};

export class Scene {
  readonly shown: Shown;
  readonly marks: Marks;
  readonly reports: string[] = [];
  readonly misses: string[] = [];
  constructor({ deps = {}, columns = COLUMNS, known = [] as Marks['memory']['known'] } = {}) {
    this.shown = new Shown(columns);
    this.marks = new Marks({ ...DEPS, ...deps }, known, { isPainted: known.length > 0 });
  }
  print(text: string | Buffer): this {
    const bytes = Buffer.from(text as string);
    this.shown.write(bytes);
    this.#apply(this.marks.output(bytes));
    return this;
  }
  look(moment: Moment, prompt = ''): this {
    this.#apply(this.marks.seen(this.shown.screen(prompt), moment));
    return this;
  }
  rest(prompt = ''): this {
    this.#apply(this.marks.quiet());
    return this.look('rest', prompt);
  }
  #apply(effects: readonly Effect[]): void {
    for (const one of effects) {
      if (one.kind === 'new' && one.occurrence.isReport) this.reports.push(one.occurrence.marker.message);
      if (one.kind === 'near_miss') this.misses.push(one.line);
    }
  }
}

export const mark = (message: string): string => `--<[sm:completed:${message}]>--`;
