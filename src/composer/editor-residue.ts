// Takes out of the box what our keys left there: a mark whose call did not come, the letter of a key that opened nothing.
import type { PaneView } from '../tmux/index.js';
import { endsBefore, MARKS } from './caret.js';
import type { EditorBox } from './editor-box.js';
import { squash } from './evidence.js';
import { takeLook } from './look.js';
import type { Draft, SwapStep } from './protocol.js';

// A mark that was typed long ago shows as soon as the screen that was asked for is painted, and no agent paints slower.
const LEAST_MS = 300;
const SHOWN_MS = 3000;

// Takes away what stands right before the cursor and is ours: the mark, and the letter of a key that opened nothing.
// True once the agent shows that it is gone: on a screen that is older than the key another would take what is theirs. Also
// where the attempt is given up: nobody else would do it.
export async function dropMark(box: EditorBox, step: SwapStep): Promise<boolean> {
  const { tools } = box;
  const letter = box.profile.keys.at(-1) ?? '';
  const residues = box.marks.flatMap((mark) => [`${mark}${letter}`, mark]);
  const look = async (): Promise<{ view: PaneView; residue: string } | undefined> => {
    const view = await tools.view();
    const residue = residues.find((text) => endsBefore(view, text));
    return residue === undefined ? undefined : { view, residue };
  };
  // Where the caret of such an agent will be after a late call, no key can be sure to find the mark.
  const { retakes, placeholder, caretAfter = 'end' } = box.profile;
  if (retakes && (placeholder !== undefined || caretAfter !== 'end')) await box.handover.lateOver();
  const seen = await tools.pane.waitUntil(look, lateMs(box));
  if (seen.outcome !== 'seen') return false;
  const { view, residue } = seen.value;
  if (!box.handover.leaveMark(retakes ? 'mark_last' : 'keep')) return false;
  return takeAway(box, view, residue, step);
}

// The first key of two went by unheard, and the second stands in the box as text since then. The keys are held, so it is
// nobody else's. True once it is gone.
export async function dropLetter(box: EditorBox, before: PaneView, step: SwapStep): Promise<boolean> {
  const { tools } = box;
  const letter = box.profile.keys.at(-1) ?? '';
  if ([...letter].length !== 1) return false;
  const left = squash(takeLook(before).left);
  const look = async (): Promise<PaneView | undefined> => {
    const view = await tools.view();
    const isNext = view.cursor.x === before.cursor.x + 1;
    return isNext && squash(takeLook(view).left) === left + letter ? view : undefined;
  };
  const seen = await tools.pane.waitUntil(look, LEAST_MS);
  if (seen.outcome !== 'seen') return false;
  return takeAway(box, seen.value, letter, step);
}

// What a box holds that was read after such a key, when nobody else could type: the letter is all of it, or stands behind
// the draft that was on its way back.
export function withoutLetter(
  { profile }: EditorBox,
  box: { text: string; caret: number },
  saved: Draft | null,
  step: SwapStep,
): { text: string; caret: number } {
  const letter = profile.keys.length > 1 ? (profile.keys.at(-1) ?? '') : '';
  const isOurs = letter !== '' && (step === 'entered' || step === 'restoring');
  const rest = isOurs ? ['', saved?.text ?? ''].find((text) => box.text === text + letter) : undefined;
  return rest === undefined ? box : { text: rest, caret: rest.length };
}

// Ours, and those of readings that were cut off.
export async function dropMarks(box: EditorBox, step: SwapStep): Promise<void> {
  for (let marks = 0; marks < MARKS.length && (await dropMark(box, step)); ) marks++;
}

async function takeAway({ tools }: EditorBox, view: PaneView, residue: string, step: SwapStep) {
  const keys = Array.from(residue, () => 'BSpace');
  const pressed = await tools.strokes([{ keys }], step, view);
  if (pressed.outcome !== 'injected') return false;
  const isGone = async (): Promise<true | undefined> => {
    const { cursor } = await tools.view();
    return cursor.x !== view.cursor.x || cursor.y !== view.cursor.y || undefined;
  };
  return (await tools.pane.waitUntil(isGone, SHOWN_MS)).outcome === 'seen';
}

// What the agent may still take to show a mark that was typed a while ago.
function lateMs(box: EditorBox): number {
  // Where the cursor tells a dialog, an agent that does not call its editor is merely slow: one that starts, for instance.
  if (box.isLate || box.tools.profile.cursorShownInBox) return SHOWN_MS;
  const since = box.tools.clock() - box.markedAt;
  return Math.max(LEAST_MS, box.profile.shownMs - since);
}
