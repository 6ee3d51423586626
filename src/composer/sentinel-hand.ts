// The hand of the sentinel protocol: presses, looks, walks to a cell, and takes marks out of a box again.
import type { PaneView } from '../tmux/index.js';
import type { LineKeys } from './box-profile.js';
import type { Refusal, Stroke, SwapStep, SwapTools } from './protocol.js';
import { type FoundMark, findMarks, MARK_LENGTH, type Marks } from './sentinel-marks.js';
import { fewestPresses } from './sentinel-moves.js';
import { type FlatScreen, flatten } from './sentinel-screen.js';

// The protocol cannot go on; who catches it decides what to undo.
export class Stop extends Error {
  constructor(
    readonly reason: Refusal,
    readonly detail: string,
  ) {
    super(`${reason}: ${detail}`);
  }
}

export const times = (count: number, ...keys: string[]): string[] =>
  Array.from({ length: Math.max(0, count) }, () => keys).flat();

export const keys = (...names: string[]): Stroke => ({ keys: names });
export const type = (text: string): Stroke => ({ type: text });

// A walk looks where it is after so many keys.
const KEYS_PER_WALK = 20;
// Keys for one send-keys: a command of tmux must stay below 16 KB.
const KEYS_PER_COMMAND = 400;
export function inWrites(names: readonly string[]): Stroke[] {
  const strokes: Stroke[] = [];
  for (let i = 0; i < names.length; i += KEYS_PER_COMMAND)
    strokes.push({ keys: names.slice(i, i + KEYS_PER_COMMAND) });
  return strokes;
}

// What a loaded machine may add to the time in which a program shows a key.
const PATIENCE_MS = 700;
// A walk or a sweep that takes longer than this will not end well.
const MOST_WALKS = 120;

const REFUSALS: Record<string, Refusal> = {
  gone: 'gone',
  dead: 'gone',
  in_mode: 'in_mode',
  other_program: 'other_program',
  mark_changed: 'gone',
};

export class Hand {
  // The steps in which something was pressed.
  readonly pressed = new Set<SwapStep>();
  readonly #found = new WeakMap<FlatScreen, FoundMark[]>();

  constructor(
    readonly tools: SwapTools,
    readonly lineKeys: LineKeys,
    readonly marks: Marks,
  ) {}

  get patienceMs(): number {
    return this.lineKeys.echoMs * 2 + PATIENCE_MS;
  }

  async press(strokes: readonly Stroke[], step: SwapStep): Promise<void> {
    const injection = await this.tools.strokes(strokes, step);
    if (injection.outcome === 'injected') {
      this.pressed.add(step);
      return;
    }
    throw new Stop(REFUSALS[injection.reason] ?? 'user_typing', `the pane changed: ${injection.reason}`);
  }

  // Presses once the screen is as `still` says (it may be so in the `last` view), and only if it is so at that moment. Some programs paint all the time, with
  // the cursor elsewhere for a moment: that is waited out.
  async pressWhen(
    strokes: readonly Stroke[],
    step: SwapStep,
    still: (view: PaneView) => boolean,
    last?: PaneView,
  ): Promise<void> {
    const end = this.tools.clock() + this.patienceMs;
    for (let known = last; ; known = undefined) {
      const left = Math.max(0, end - this.tools.clock());
      const seen =
        known && still(known) ? known : await this.until((view) => (still(view) ? view : undefined), left);
      if (!seen) throw new Stop('user_typing', 'the box is not as it was left');
      const injection = await this.tools.strokes(strokes, step, seen);
      if (injection.outcome === 'injected') {
        this.pressed.add(step);
        return;
      }
      const { reason } = injection;
      if (REFUSALS[reason] || this.tools.clock() > end)
        throw new Stop(REFUSALS[reason] ?? 'user_typing', `the pane changed: ${reason}`);
    }
  }

  // The caret stands right behind a mark.
  isBehind(view: PaneView, text: string): boolean {
    const flat = flatten(view.rows);
    const mark = this.visibleMarks(view).find((found) => found.text === text);
    const last = mark && flat.cells[mark.to - 1];
    return last !== undefined && last.y === view.cursor.y && last.x + 1 === view.cursor.x;
  }

  // Looks after each output until `look` finds something; undefined at the deadline.
  async until<T>(
    look: (view: PaneView) => T | undefined,
    deadlineMs = this.patienceMs,
  ): Promise<T | undefined> {
    const waited = await this.tools.pane.waitUntil(
      async () => look(await this.tools.view()),
      deadlineMs,
      this.tools.signal,
    );
    if (waited.outcome === 'seen') return waited.value;
    if (waited.outcome === 'gone') throw new Stop('gone', waited.reason);
    if (waited.outcome === 'aborted') throw new Stop('user_typing', 'called off');
    return undefined;
  }

  visibleMarks(view: PaneView): FoundMark[] {
    const flat = flatten(view.rows);
    const found = this.#found.get(flat) ?? findMarks(flat.text, this.marks);
    this.#found.set(flat, found);
    return found;
  }

  // Walks by arrow keys until the caret stands on the last character of a mark: an end of a row that a caret shows at the
  // start of the next one cannot mislead there. `pick` names the mark in each view.
  async walkTo(pick: (found: FoundMark[]) => FoundMark | undefined, step: SwapStep): Promise<boolean> {
    // The screen counts the row breaks and indents between two cells too: a walk that went too far goes back by half at most.
    let most = KEYS_PER_WALK;
    let before: 'Right' | 'Left' | undefined;
    for (let walks = 0, still = 0; walks < MOST_WALKS && still < 2; walks++) {
      // Keys that are still on their way would carry the caret on.
      await this.settle();
      const view = await this.tools.view();
      const flat = flatten(view.rows);
      const mark = pick(findMarks(flat.text, this.marks));
      const target = mark && flat.cells[mark.to - 1];
      if (!mark || !target) return false;
      const { x, y } = view.cursor;
      if (target.x === x && target.y === y) return true;
      const here = flat.cells.findIndex((cell) => cell.y > y || (cell.y === y && cell.x >= x));
      const [from, to] = here <= mark.to - 1 ? [here, mark.to - 1] : [mark.to - 1, here];
      const distance = Math.max(1, fewestPresses(flat.text.slice(from, to)));
      const key = here <= mark.to - 1 ? 'Right' : 'Left';
      if (before && before !== key) most = Math.max(1, Math.floor(Math.min(distance, most) / 2));
      before = key;
      await this.press([keys(...times(Math.min(distance, most), key))], step);
      const moved = await this.until((now) => now.cursor.x !== x || now.cursor.y !== y || undefined);
      still = moved ? 0 : still + 1;
    }
    return false;
  }

  // Takes every mark out of the box, the caret's last, so that the caret is left where the person had it. A box may have
  // scrolled marks out: `all` walks through it from the first line to the last.
  async sweep(step: SwapStep, which: 'visible' | 'all'): Promise<boolean> {
    const others = (found: FoundMark[]): FoundMark | undefined =>
      found.findLast(({ name }) => name !== 'caret');
    const { start, end } = this.lineKeys;
    if (!(await this.#remove(others, step))) return false;
    if (which === 'visible') return this.removeCaretMark(step);
    for (const way of [
      [start.key, 'Left'],
      [end.key, 'Right'],
    ])
      for (let stride = 0; stride < MOST_WALKS && (await this.#stride(way, step)); stride++)
        if (!(await this.#remove(others, step))) return false;
    for (let stride = 0; stride < MOST_WALKS; stride++) {
      if (this.visibleMarks(await this.tools.view()).length > 0) return this.removeCaretMark(step);
      if (!(await this.#stride([start.key, 'Left'], step))) return true;
    }
    return false;
  }

  // A few lines on; false at the end of the box, where nothing moves any more.
  async #stride(way: readonly string[], step: SwapStep): Promise<boolean> {
    const { cursor, rows } = await this.tools.view();
    await this.press([keys(...times(2, ...way))], step);
    await this.settle();
    const now = await this.tools.view();
    return (
      now.cursor.x !== cursor.x || now.cursor.y !== cursor.y || flatten(now.rows).text !== flatten(rows).text
    );
  }

  #isOn(view: PaneView, pick: (found: FoundMark[]) => FoundMark | undefined): boolean {
    const flat = flatten(view.rows);
    const mark = pick(findMarks(flat.text, this.marks));
    const cell = mark && flat.cells[mark.to - 1];
    return cell?.x === view.cursor.x && cell.y === view.cursor.y;
  }

  // Takes the marks out that are on the screen.
  async #remove(pick: (found: FoundMark[]) => FoundMark | undefined, step: SwapStep): Promise<boolean> {
    for (let removed = 0; removed < MOST_WALKS; removed++) {
      if (!pick(this.visibleMarks(await this.tools.view()))) return true;
      if (!(await this.walkTo(pick, step))) return false;
      const seen = await this.tools.view();
      const erase = times(MARK_LENGTH, this.lineKeys.backspace);
      await this.pressWhen([keys('Right', ...erase)], step, (view) => this.#isOn(view, pick));
      // Further marks may scroll into view as one goes: that the cursor moved tells that the keys were taken.
      const done = await this.until(
        ({ cursor }) => cursor.x !== seen.cursor.x || cursor.y !== seen.cursor.y || undefined,
      );
      if (!done) return false;
      await this.settle();
    }
    return false;
  }

  // The one mark that is left when all others are gone.
  removeCaretMark = (step: SwapStep): Promise<boolean> => this.#remove((found) => found.at(-1), step);

  // All that was pressed is on the screen: its echo time has passed without output.
  settle(): Promise<void> {
    const gap = Math.max(this.lineKeys.echoMs, 5);
    return this.tools.pane.waitForGap(gap, gap + this.patienceMs);
  }
}
