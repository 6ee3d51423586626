// Where the caret stands in a draft: a mark typed there before the draft is read, and the keys that bring it back.
import { rowText, splitAt } from '../terminal/cells.js';
import type { PaneView } from '../tmux/index.js';
import type { Draft } from './protocol.js';

// A character that nobody types. If the draft has one of its own, taking any of them away gives the same text.
export const MARK = '‡';

// The draft without the mark, and where it stood; undefined when it is not in there.
export function splitAtMark(content: string): { text: string; caret: number } | undefined {
  const caret = content.indexOf(MARK);
  if (caret < 0) return undefined;
  return { text: content.slice(0, caret) + content.slice(caret + MARK.length), caret };
}

// A mark that a reading which was cut off left behind stands right before the caret.
export function withoutOldMark({ text, caret }: { text: string; caret: number }): {
  text: string;
  caret: number;
} {
  if (!text.slice(0, caret).endsWith(MARK)) return { text, caret };
  const before = caret - MARK.length;
  return { text: text.slice(0, before) + text.slice(caret), caret: before };
}

export function markAtCursor(view: PaneView): boolean {
  const { left } = splitAt(view.rows[view.cursor.y] ?? [], view.cursor.x);
  return rowText(left).endsWith(MARK);
}

// Agents move by what looks like one character, or by one code point.
export type CaretMoves = 'grapheme' | 'code_point';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

// From the end of the text back to where the caret was.
export function caretKeys({ text, caret }: Draft, moves: CaretMoves): string[] {
  if (caret === null) return [];
  const behind = text.slice(caret);
  const count = moves === 'grapheme' ? [...segmenter.segment(behind)].length : [...behind].length;
  return Array.from({ length: count }, () => 'Left');
}
