// What the screen of an agent with a stash shows: is the slot taken, is the box empty, whose text is in it.
import { rowText, splitAt } from '../terminal/cells.js';
import type { PaneView } from '../tmux/index.js';
import { countMarks, squash, stillHolds } from './evidence.js';
import { isWithoutCursor, looksEmpty } from './look.js';
import type { SwapTools } from './protocol.js';

// Copilot paints every 250 ms; a long transcript slows Claude Code down to half a second.
export const SEEN_MS = 1500;
export const RESTORED_MS = 3000;
// Rows above and below the box in which an agent says that its slot is taken.
const BESIDE = 4;

export class StashScreen {
  constructor(
    readonly tools: SwapTools,
    readonly taken: string,
  ) {}

  // Anywhere on the screen: enough to wait.
  isTaken(view: PaneView): boolean {
    return view.rows.some((row) => rowText(row).includes(this.taken));
  }

  // Beside the box, to act on: the same word may stand in what the agent has written.
  isTakenBeside(view: PaneView): boolean {
    const { top, rows } = boxRows(view);
    const beside = view.rows.slice(Math.max(0, top - BESIDE), top + rows.length + BESIDE);
    return beside.some((row) => rowText(row).includes(this.taken));
  }

  isEmpty(view: PaneView): boolean {
    return this.tools.look !== null && looksEmpty(view, this.tools.look);
  }

  // The draft is in the slot, and nothing is in the box: the stash key brings it back.
  isPutAside(view: PaneView): boolean {
    return this.isEmpty(view) && this.isTaken(view);
  }

  // The cursor is in the box and not in a dialog, as far as a prompt tells.
  isBox(view: PaneView): boolean {
    const prompt = (this.tools.look?.left ?? '').trimEnd();
    return (boxRows(view).rows[0] ?? '').startsWith(prompt);
  }

  // Nothing but the box can have the keys, as far as its profile and its prompt tell.
  isFocused(view: PaneView): boolean {
    const hasPrompt = (this.tools.look?.left ?? '').trim() !== '';
    return hasPrompt && this.isBox(view) && !isWithoutCursor(this.tools.profile, view);
  }

  // What the screen shows of the draft, without the prompt before it.
  text(view: PaneView): string {
    const prompt = this.tools.look?.left ?? '';
    // A box that shows a draft from a later row on has an indent there, and no prompt.
    const isIndent = (start: string, y: number): boolean =>
      start.trim() === '' || (y === 0 && start === prompt);
    return boxRows(view)
      .rows.map((row, y) => (isIndent(row.slice(0, prompt.length), y) ? row.slice(prompt.length) : row))
      .join('\n');
  }

  // Where the cursor stands in that text.
  caret(view: PaneView): number {
    const prompt = this.tools.look?.left ?? '';
    const { cursor } = boxRows(view);
    const rows = this.text(view).split('\n');
    const left = rowText(splitAt(view.rows[view.cursor.y] ?? [], view.cursor.x).left);
    const column = Math.min(rows[cursor]?.length ?? 0, Math.max(0, left.length - prompt.length));
    return rows.slice(0, cursor).reduce((sum, row) => sum + row.length + 1, column);
  }

  // Our mark stands in the box itself, not in the transcript above it.
  isMarked(view: PaneView): boolean {
    const { top, rows } = boxRows(view);
    const box = { ...view, rows: view.rows.slice(top, top + rows.length) };
    return countMarks(box, this.tools.envelope) > 0;
  }

  // Our text, whole, and nothing else.
  isOursAlone(view: PaneView): boolean {
    return squash(this.text(view)) === squash(this.tools.envelope.payload);
  }

  // Our text ends at the cursor; a draft that ends in the same words is told from it by the slot, or by our mark.
  endsInOurs(view: PaneView, ending: 'text' | 'text_and_newline' = 'text'): boolean {
    const holds = stillHolds(view, this.tools.envelope, undefined) === ending;
    return holds && (this.isTaken(view) || this.isMarked(view));
  }

  async wait(test: (view: PaneView) => boolean, ms: number): Promise<PaneView | undefined> {
    const look = async (): Promise<PaneView | undefined> => {
      const view = await this.tools.view();
      return test(view) ? view : undefined;
    };
    const waited = await this.tools.pane.waitUntil(look, ms, this.tools.signal);
    return waited.outcome === 'seen' ? waited.value : undefined;
  }
}

const RULE = /^\s*[─━═╭╮╰╯┌┐└┘]{3}/u;

// What the screen shows of the draft: the rows around the cursor up to the lines drawn above and below, else its row alone.
export function boxRows(view: PaneView): { rows: string[]; cursor: number; top: number } {
  const rows = view.rows.map((row) => rowText(row).trimEnd());
  const isRule = (y: number): boolean => RULE.test(rows[y] ?? '');
  const { y } = view.cursor;
  let top = y;
  while (top > 0 && !isRule(top - 1)) top--;
  let bottom = y;
  while (bottom < rows.length - 1 && !isRule(bottom + 1)) bottom++;
  const ruled = top > 0 && isRule(top - 1) && isRule(bottom + 1);
  return ruled
    ? { rows: rows.slice(top, bottom + 1), cursor: y - top, top }
    : { rows: [rows[y] ?? ''], cursor: 0, top: y };
}

export const boxText = (view: PaneView): string => boxRows(view).rows.join('\n');
