// Where the caret stands in a draft: a mark typed there before the draft is read, and the keys that bring it back.
import { rowText, splitAt } from '../terminal/cells.js';
import type { PaneView } from '../tmux/index.js';
import { reachesEdge, squash } from './evidence.js';
import type { Draft } from './protocol.js';

// Characters that nobody types; should one stand in the draft after all, the next is as good.
export const MARKS = ['‡', '⁑', '⸸'] as const;
export type Mark = (typeof MARKS)[number];

// One that is not to be seen there yet, so that ours is the only one.
export function freshMark({ rows }: PaneView): Mark {
  const screen = rows.map(rowText).join('');
  return MARKS.find((mark) => !screen.includes(mark)) ?? MARKS[0];
}

// The draft without the mark, and where it stood; undefined when it is not in there.
export function splitAtMark(content: string, mark: Mark): { text: string; caret: number } | undefined {
  const caret = content.indexOf(mark);
  if (caret < 0) return undefined;
  return { text: content.slice(0, caret) + content.slice(caret + mark.length), caret };
}

// The marks of readings that were cut off stand right at the caret, one for each: before it, or behind where ours was taken
// for one of them.
export function withoutOldMarks(
  { text, caret }: { text: string; caret: number },
  old: readonly string[],
): { text: string; caret: number } {
  let [before, behind] = [text.slice(0, caret), text.slice(caret)];
  for (const rest = [...old]; ; ) {
    const left = rest.find((mark) => before.endsWith(mark));
    const right = left ?? rest.find((mark) => behind.startsWith(mark));
    if (left) before = before.slice(0, -left.length);
    else if (right) behind = behind.slice(right.length);
    else return { text: before + behind, caret: before.length };
    rest.splice(rest.indexOf(right as string), 1);
  }
}

// An agent that was busy takes the keys behind a mark for text, a control key too: what stands right behind one is ours as well.
export function withoutKeys(content: string, keys: readonly string[]): string {
  const bytes = keys.map(byteOf).join('');
  if (!CONTROL.test(bytes)) return content;
  const lengths = Array.from(bytes, (_, i) => bytes.length - i);
  return MARKS.reduce((text, mark) => {
    const found = lengths.map((length) => mark + bytes.slice(0, length)).find((one) => text.includes(one));
    return found === undefined ? text : text.replace(found, mark);
  }, content);
}

const CONTROL = /^\p{Cc}/u;
const byteOf = (key: string): string =>
  /^C-[a-z]$/.test(key) ? String.fromCharCode(key.charCodeAt(2) & 0x1f) : key;

// A text stands right before the cursor. Behind a full row the cursor stands in the next one, before its first column.
export function endsBefore(view: PaneView, text: string): boolean {
  const { left } = splitAt(view.rows[view.cursor.y] ?? [], view.cursor.x);
  if (rowText(left).endsWith(text)) return true;
  const above = view.rows[view.cursor.y - 1] ?? [];
  return (
    squash(rowText(left)) === '' &&
    reachesEdge(above, view.size.columns) &&
    squash(rowText(above)).endsWith(squash(text))
  );
}

// The end of what stands before the caret in its line is to be seen right before the cursor. A caret at the start of a line
// shows nothing.
const SHOWN_PART = 12;
export function showsCaret(view: PaneView, { text, caret }: Draft): boolean {
  const line =
    text
      .slice(0, caret ?? 0)
      .split('\n')
      .at(-1) ?? '';
  const part = squash([...line].slice(-SHOWN_PART).join(''));
  const { left } = splitAt(view.rows[view.cursor.y] ?? [], view.cursor.x);
  const above = rowText(view.rows[view.cursor.y - 1] ?? []);
  return part === '' || squash(above + rowText(left)).endsWith(part);
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
