// Emptying a box and filling it again, each proved: nothing is between three marks, then the text is seen alone.
import type { PaneView } from '../tmux/index.js';
import { type Evidence, seenInBox } from './evidence.js';
import { type Look, looksEmpty, takeLook } from './look.js';
import type { SwapStep } from './protocol.js';
import { type Hand, inWrites, keys, Stop, times, type } from './sentinel-hand.js';
import { MARK_LENGTH } from './sentinel-marks.js';
import { flatten } from './sentinel-screen.js';

// A box is as wide as this at least, so that a text takes no more rows than this says.
const NARROWEST = 20;
const MOST_KILLS = 1200;
const TRIES = 3;
// A program that shows a long paste as a label never shows our words; Copilot paints every 250 ms.
const LABEL_SETTLE_MS = 300;
// A paste so short stays a text on every agent measured; longer ones go in pieces.
const INLINE_LENGTH = 150;
const INLINE_NEWLINES = 1;

export class SentinelBox {
  // How the empty box looks; known at the latest once it was emptied here.
  look: Look | null;

  constructor(readonly hand: Hand) {
    this.look = hand.tools.look;
  }

  // Deletes all that is in the box, `text` as far as anyone knows; the caret may be anywhere in it.
  // Leaves the three marks of the proof in the box, with the caret behind the first.
  // With `still` the first key is pressed only while the screen is so.
  async empty(
    text: string,
    step: SwapStep,
    still: (view: PaneView) => boolean = () => true,
    last?: PaneView,
  ): Promise<PaneView | undefined> {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const strokes = [...inWrites(this.#clearing(text, attempt)), ...this.#proof()];
      if (attempt === 1) await this.hand.pressWhen(strokes, step, still, last);
      else await this.hand.press(strokes, step);
      const proved = await this.#proved(attempt === TRIES ? this.hand.patienceMs : undefined);
      if (proved) return proved;
    }
    return undefined;
  }

  // The box is empty: our marks go, the text comes, in one write.
  async fill(text: string, step: SwapStep, proved: PaneView): Promise<void> {
    const strokes = [this.#unproof(), { paste: text }];
    await this.hand.pressWhen(strokes, step, (view) => this.#isAlone(view), proved);
  }

  // Takes the marks of the proof away and learns how the empty box looks.
  async bare(step: SwapStep): Promise<PaneView> {
    await this.hand.pressWhen([this.#unproof()], step, (view) => this.#isAlone(view));
    const bare = await this.hand.until((view) => (this.hand.visibleMarks(view).length ? undefined : view));
    if (!bare) throw new Stop('sentinel_not_found', 'the marks in the empty box do not go');
    this.look ??= takeLook(bare);
    return bare;
  }

  // Waits for our text; a change that stays without our words is a label for them.
  async shown(before: PaneView): Promise<{ view: PaneView; evidence: Evidence } | undefined> {
    const { envelope } = this.hand.tools;
    const words = (view: PaneView): { view: PaneView; evidence: Evidence } | undefined => {
      if (this.hand.visibleMarks(view).length > 0) return undefined;
      const evidence = seenInBox(view, envelope, before);
      return evidence && { view, evidence };
    };
    const look = this.look;
    const changed = (view: PaneView): { view: PaneView; evidence: Evidence } | undefined =>
      words(view) ??
      (look && this.hand.visibleMarks(view).length === 0 && !looksEmpty(view, look)
        ? { view, evidence: 'placeholder' }
        : undefined);
    const first = await this.hand.until(changed);
    if (first?.evidence !== 'placeholder') return first;
    return (await this.hand.until(words, LABEL_SETTLE_MS)) ?? this.hand.until(changed);
  }

  #clearing(text: string, attempt: number): string[] {
    const { start, end, killToEnd, backspace } = this.hand.lineKeys;
    const lines = text.split('\n');
    const rows = lines.reduce((sum, line) => sum + 1 + Math.ceil(line.length / NARROWEST), 0) * attempt;
    const far = lines.length * attempt;
    if (killToEnd.joins) {
      // From the first line's start: each line and each newline is one kill, each row where it kills rows.
      const up = [...times(far - 1, start.key, 'Left'), start.key];
      const kills = killToEnd.kills === 'line' ? 2 * far + 2 : 2 * rows + 2;
      return [...up, ...times(Math.min(kills, MOST_KILLS), killToEnd.key)];
    }
    // From the last line's end upwards: a line, then the newline before it.
    const down = [...times(far - 1, end.key, 'Right'), end.key];
    const each = killToEnd.kills === 'line' ? 1 : Math.ceil(rows / lines.length) + 1;
    return [...down, ...times(far, start.key, ...times(each, killToEnd.key), backspace)];
  }

  // Nothing is right of the caret if Right does not move, nothing left of it if Left does not.
  #proof() {
    const [left, middle, right] = this.hand.marks.proof;
    const back = times(2 * MARK_LENGTH + 1, 'Left');
    return [type(middle), keys('Right'), type(right), keys(...back), type(left)];
  }

  #unproof() {
    const erase = times(3 * MARK_LENGTH, this.hand.lineKeys.backspace);
    return keys(...times(2 * MARK_LENGTH, 'Right'), ...erase);
  }

  #isAlone(view: PaneView): boolean {
    const { proof } = this.hand.marks;
    const isOnly = this.hand.visibleMarks(view).length === proof.length;
    return isOnly && flatten(view.rows).text.includes(proof.join('')) && this.hand.isBehind(view, proof[0]);
  }

  #proved(ms?: number): Promise<PaneView | undefined> {
    const patience = ms ?? this.hand.lineKeys.echoMs + LABEL_SETTLE_MS;
    return this.hand.until((view) => (this.#isAlone(view) ? view : undefined), patience);
  }
}

// A draft in pastes that no agent turns into a label.
export function pieces(text: string): string[] {
  const found: string[] = [];
  let piece = '';
  let newlines = 0;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) {
    if (piece.length + segment.length > INLINE_LENGTH || (segment === '\n' && newlines === INLINE_NEWLINES)) {
      found.push(piece);
      piece = '';
      newlines = 0;
    }
    piece += segment;
    if (segment === '\n') newlines++;
  }
  return piece === '' ? found : [...found, piece];
}
