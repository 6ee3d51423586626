// The way back of a draft: into the empty box, read again, the caret where it was.
import { rowText } from '../terminal/cells.js';
import type { PaneView } from '../tmux/index.js';
import { looksEmpty } from './look.js';
import type { Draft, Restored, Stroke, SwapStep } from './protocol.js';
import { pieces, type SentinelBox } from './sentinel-box.js';
import { type Hand, inWrites, keys, times } from './sentinel-hand.js';
import { fewestPresses, type Move, mostPresses, pressesOver } from './sentinel-moves.js';
import { type Reading, SentinelReader } from './sentinel-reader.js';
import { isAccountedFor } from './sentinel-screen.js';
import { unmark } from './sentinel-unmark.js';

export class DraftReturn {
  // What is recorded meanwhile: `restoring` would say that our text was submitted.
  step: SwapStep = 'restoring';
  // The screen that the draft was read from.
  original: PaneView | undefined;
  // As it was found while the draft was read.
  moves: readonly Move[] = [];

  constructor(
    readonly hand: Hand,
    readonly box: SentinelBox,
  ) {}

  // Our text may be a label by now, so it is deleted by its length, not read.
  async replace(draft: Draft | null, text: string): Promise<Restored> {
    const proved = await this.box.empty(text, this.step);
    if (!proved) return { kind: 'mismatch', found: null, detail: 'our text did not leave the box' };
    if (draft && draft.text !== '') return this.put(draft, proved);
    await this.box.bare(this.step);
    return back('look');
  }

  // Into the empty box: in pieces that stay a text; read again; typed if a paste does not come out the same.
  async put(draft: Draft, empty: PaneView): Promise<Restored> {
    const hand = this.hand;
    const step = this.step;
    let found: string | null = null;
    let bare = hand.visibleMarks(empty).length > 0 ? await this.box.bare(step) : empty;
    for (const strokes of [pasted(draft.text), typed(draft.text)]) {
      const { look } = this.box;
      await hand.pressWhen(strokes, step, (view) => !look || looksEmpty(view, look), bare);
      const before = await this.#showsDraft(bare, draft);
      const above = draft.text.split('\n').length - 1;
      const reading = await new SentinelReader(hand, step).read({ before, above, whose: 'own' });
      found = reading.text;
      if (found === draft.text) {
        if (!(await unmark(hand, step, reading)) && !(await hand.sweep(step, 'all')))
          return { kind: 'mismatch', found, detail: 'the draft is back with marks of ours in it' };
        const caret = await this.moveCaret(found, reading.caret, draft.caret, this.original);
        return { ...back('read'), caret };
      }
      if (reading.isForeign) {
        await unmark(hand, step, reading);
        return { kind: 'mismatch', found, detail: 'something was typed while the draft went back' };
      }
      const proved = await this.box.empty(marked(reading), step);
      if (!proved) break;
      bare = await this.box.bare(step);
    }
    return { kind: 'mismatch', found, detail: 'the draft does not read as it was' };
  }

  // All of the draft shows that the box has room for: what is read next is compared with this screen.
  async #showsDraft(bare: PaneView, { text }: Draft): Promise<PaneView> {
    const lines = text.split('\n');
    const screen = (view: PaneView): string =>
      `${view.cursor.x} ${view.cursor.y} ${view.rows.map(rowText).join('\n')}`;
    const shown = await this.hand.until((view) =>
      screen(view) !== screen(bare) && isAccountedFor(view, lines, lines.length - 1, 'part')
        ? view
        : undefined,
    );
    return shown ?? this.hand.tools.view();
  }

  // From one place in the text to another; proved by the screen that the draft was read from, where there is one.
  async moveCaret(
    text: string,
    from: number,
    to: number | null,
    original: PaneView | undefined,
  ): Promise<boolean> {
    if (to === null) return false;
    const hand = this.hand;
    const step = this.step;
    const part = text.slice(Math.min(from, to), Math.max(from, to));
    const key = to < from ? 'Left' : 'Right';
    const known = pressesOver(part, this.moves);
    const presses = known ?? fewestPresses(part);
    if (presses > 0) await hand.press(inWrites(times(presses, key)), step);
    const isBack = (view: PaneView): true | undefined => !original || sameRow(view, original) || undefined;
    // Where the count is known nothing is tried: rows of a draft may look alike.
    const slack = known === undefined ? mostPresses(part) - presses : 0;
    const { echoMs } = hand.lineKeys;
    if (await hand.until(isBack, slack > 0 ? echoMs : hand.patienceMs))
      return original !== undefined || slack === 0;
    await hand.settle();
    for (let i = 0; i < slack; i++) {
      await hand.press([keys(key)], step);
      if (await hand.until(isBack, echoMs)) return true;
    }
    return false;
  }
}

export const back = (proof: 'read' | 'look') => ({ kind: 'restored', proof, caret: true }) as const;

// The caret in the same column of the same text.
export const sameRow = (a: PaneView, b: PaneView): boolean =>
  a.cursor.x === b.cursor.x &&
  rowText(a.rows[a.cursor.y] ?? []).trimEnd() === rowText(b.rows[b.cursor.y] ?? []).trimEnd();

// About what the box holds while the marks are in it; for counting lines and rows.
export const marked = ({ lines }: Reading): string =>
  lines.map((line) => `${'§'.repeat(18)}${line}`).join('\n');

const pasted = (text: string): Stroke[] => pieces(text).map((paste) => ({ paste }));

const typed = (text: string): Stroke[] =>
  text
    .split('\n')
    .flatMap((line, i): Stroke[] => [...(i ? [{ paste: '\n' }] : []), ...(line ? [{ type: line }] : [])]);
