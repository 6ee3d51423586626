// The caret of a draft that was pasted: back to where it was saved, as far as the screen shows that it got there.
import { caretKeys } from '../composer/index.js';
import type { Session, Tracker } from '../sessions/index.js';
import type { DraftRow } from '../store/index.js';
import { rowText, splitAt } from '../terminal/cells.js';
import type { Guard, PaneView } from '../tmux/index.js';

// A program that has not moved its cursor for so long after the keys has not taken them.
const MOVED_MS = 1500;
// So much beside the cursor tells one place from another; more may not fit into the row.
const BESIDE = 12;

// `guard`: nobody else has touched the pane since the paste.
export async function placeCaret(
  draft: DraftRow,
  session: Session,
  { pane }: Tracker,
  guard: Guard,
): Promise<boolean> {
  const { text, caret } = draft;
  if (caret === null) return false;
  if (caret >= text.length) return true;
  const keys = keysBack(draft, session);
  if (!keys) return false;
  // A paste that is shown as a label is passed in one step: only where the text itself stands before the cursor.
  const shown = await pane.waitUntil(async () => at(await pane.view(), text, ''), MOVED_MS);
  if (shown.outcome !== 'seen') return false;
  const { x, y } = shown.value.cursor;
  const pressed = await pane.strokes([{ keys }], { ...guard, cursor: { x, y }, visible: undefined });
  if (pressed.outcome === 'refused') return false;
  const isThere = async (): Promise<PaneView | undefined> => {
    const view = at(await pane.view(), text.slice(0, caret), text.slice(caret));
    return view && (view.cursor.x !== x || view.cursor.y !== y) ? view : undefined;
  };
  return (await pane.waitUntil(isThere, MOVED_MS)).outcome === 'seen';
}

// Undefined where it is not known what one press of Left passes over.
function keysBack({ text, caret, protocol }: DraftRow, { profile }: Session): readonly string[] | undefined {
  const keys = (moves: 'grapheme' | 'code_point') => caretKeys({ text, caret, exact: true }, moves);
  if (profile.editor) return keys(profile.editor.caretMoves);
  if (protocol !== 'sentinel') return undefined;
  const [few, many] = [keys('grapheme'), keys('code_point')];
  return few.length === many.length ? few : undefined;
}

// The cursor stands between the two, as far as its row shows. tmux tells nothing of blanks at the end of a row.
function at(view: PaneView, before: string, behind: string): PaneView | undefined {
  const { left, under, right } = splitAt(view.rows[view.cursor.y] ?? [], view.cursor.x);
  const shown = {
    left: rowText(left).trimEnd(),
    right: rowText([...(under ? [under] : []), ...right]).trimEnd(),
  };
  const tail = (before.split('\n').at(-1) ?? '').trimEnd();
  const head = (behind.split('\n')[0] ?? '').trimEnd();
  // Where the line is broken into rows, the row may show less of it.
  const isBehind =
    shown.left.endsWith(tail.slice(-BESIDE)) || isPart(shown.left.trim(), (part) => tail.endsWith(part));
  const isBefore =
    shown.right.startsWith(head.slice(0, BESIDE)) || isPart(shown.right, (part) => head.startsWith(part));
  return isBehind && isBefore ? view : undefined;
}

const isPart = (part: string, test: (part: string) => boolean): boolean => part !== '' && test(part);
