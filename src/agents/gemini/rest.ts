// Gemini tells nothing of a turn that a person cuts short at an approval or inside a tool. Its pane tells that nothing runs.
import type { DoorContext } from '../door.js';

// While a turn runs Gemini counts its seconds on the screen.
const SILENT_MS = 5000;
// An approval is painted when the hooks that tell of it are done, and then nothing moves until a person does.
const PAINTED_MS = 1500;

export class Rest {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly context: Pick<DoorContext, 'printedAt' | 'clock'>,
    readonly comes: () => void,
  ) {}

  // Of what is said to run from now on. Something must have moved after it was asked, where a person is.
  watch(state: 'busy' | 'waiting'): void {
    const since = this.context.clock();
    this.#look(since, state === 'waiting' ? since + PAINTED_MS : 0);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #look(since: number, moves: number): void {
    this.stop();
    const { printedAt, clock } = this.context;
    if (!printedAt) return;
    const printed = printedAt() ?? 0;
    const left = Math.max(printed, since) + SILENT_MS - clock();
    if (left <= 0 && printed >= moves) {
      this.comes();
      return;
    }
    this.#timer = setTimeout(() => this.#look(since, moves), left > 0 ? left : SILENT_MS);
    this.#timer.unref();
  }
}
