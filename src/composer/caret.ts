// Where the caret stands in a draft: a mark typed there before the draft is read, and the keys that bring it back.
import { rowText, splitAt } from '../terminal/cells.js';
import type { PaneView } from '../tmux/index.js';
import type { Draft } from './protocol.js';

// Characters that nobody types; should one stand in the draft after all, the next is as good.
export const MARKS = ['‡', '⁑', '⸸'] as const;
export type Mark = (typeof MARKS)[number];

// One that is not to be seen there yet, so that ours is the only one.
export function freshMark({ rows }: PaneView): Mark {
  const screen = rows.map(rowText).join('');
  return MARKS.find((mark) => !screen.includes(mark)) ?? MARKS[0];
}

// The draft without the mark, and where it stood; undefined when it is not in there. `several`: the draft has the same
// character elsewhere, out of sight, so that nobody can tell which is ours.
export function splitAtMark(
  content: string,
  mark: Mark,
): { text: string; caret: number; several: boolean } | undefined {
  const caret = content.indexOf(mark);
  if (caret < 0) return undefined;
  const text = content.slice(0, caret) + content.slice(caret + mark.length);
  return { text, caret, several: text.includes(mark) };
}

// The mark of a reading that was cut off stands right at the caret: before it, or behind where ours was taken for it.
export function withoutOldMark(
  { text, caret }: { text: string; caret: number },
  old: string,
): { text: string; caret: number } {
  const [before, behind] = [text.slice(0, caret), text.slice(caret)];
  if (before.endsWith(old)) return { text: before.slice(0, -old.length) + behind, caret: caret - old.length };
  return { text: before + (behind.startsWith(old) ? behind.slice(old.length) : behind), caret };
}

// A text stands right before the cursor.
export function endsBefore(view: PaneView, text: string): boolean {
  const { left } = splitAt(view.rows[view.cursor.y] ?? [], view.cursor.x);
  return rowText(left).endsWith(text);
}

// Agents move by what looks like one character, or by one code point.
export type CaretMoves = 'grapheme' | 'code_point';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

// From where the agent leaves the caret back to where it was. At the end of a text another Right does nothing.
export function caretKeys(
  { text, caret }: Draft,
  moves: CaretMoves,
  after: 'end' | 'newlines_short' = 'end',
): string[] {
  if (caret === null) return [];
  const behind = text.slice(caret);
  const count = moves === 'grapheme' ? [...segmenter.segment(behind)].length : [...behind].length;
  const short = after === 'end' ? 0 : text.split('\n').length - 1;
  return [...Array.from({ length: short }, () => 'Right'), ...Array.from({ length: count }, () => 'Left')];
}
