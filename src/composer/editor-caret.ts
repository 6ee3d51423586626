// Brings the caret of a draft back to where it was, and waits until an agent that is slower than its keys shows it there.
import type { PaneView } from '../tmux/index.js';
import { caretKeys, showsCaret } from './caret.js';
import type { EditorBox } from './editor-box.js';
import { looksEmpty } from './look.js';
import type { Draft, SwapStep } from './protocol.js';

// Gemini paints a draft within a second in a conversation of 200 turns. What a screen never shows so must not keep the keys.
const PAINTED_MS = 1500;

// Records the step together with the keys, and also when none are needed.
export async function placeCaret(box: EditorBox, draft: Draft | null, step: SwapStep): Promise<boolean> {
  const { caretMoves, caretAfter } = box.profile;
  const keys = draft ? caretKeys(draft, caretMoves, caretAfter) : [];
  const pressed = await box.tools.strokes(keys.length > 0 ? [{ keys }] : [], step);
  if (keys.length > 0) await box.rest();
  if (pressed.outcome === 'injected') await painted(box, draft);
  return pressed.outcome === 'injected' && draft?.caret !== null;
}

// Such an agent judges keys by what it has painted: a Right before that is one at the end, and lost; and it opens its editor
// on that.
export async function painted({ tools }: EditorBox, draft: Draft | null): Promise<void> {
  const { pane, profile, look, signal } = tools;
  if (profile.pace.echoMs === undefined) return;
  const isShown = (view: PaneView): boolean =>
    draft ? showsCaret(view, draft) : look === null || looksEmpty(view, look);
  const see = async (): Promise<true | undefined> => isShown(await tools.view()) || undefined;
  await pane.waitUntil(see, PAINTED_MS, signal);
}
