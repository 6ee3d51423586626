// What to make of a box whose content is known exactly, after a swap was cut off. Pure.
import type { Draft, SwapStep } from './protocol.js';

export interface Settlement {
  // Our text has left the box by our Enter; `unknown`: it left without one.
  submitted: 'yes' | 'no' | 'unknown';
  // What the box shall hold, and where the caret belongs.
  text: string;
  caret: number;
  // The draft may be in there, changed by keys since, or may have been sent: it is offered, not put back.
  offer?: true;
}

// What it holds now; `isSeen`: where its caret stands was read, not assumed.
export interface Box {
  text: string;
  caret: number;
  isSeen?: boolean;
}

// `ours` is our text, `step` how far the swap had come.
export function settle(
  { isSeen = false, ...box }: Box,
  saved: Draft | null,
  ours: string,
  step: SwapStep,
  keys: 'held' | 'freed' = 'held',
): Settlement {
  const draft = saved?.text ?? '';
  // Keys that were let through may have moved it and changed nothing. Until it was brought back it may stand at the end.
  const isMoved =
    keys === 'freed' && isSeen && box.text === draft && (step === 'restored' || box.caret < draft.length);
  const caret = isMoved ? box.caret : (saved?.caret ?? draft.length);
  if (step === 'reading') {
    const isDraft = saved !== null && isCut(box.text, draft);
    return { submitted: 'no', ...(isDraft ? { text: draft, caret } : box) };
  }
  const isDraft = draft !== '' && isCut(box.text, draft) && box.text !== '';
  const found = isDraft ? undefined : findOurs(box.text, ours);
  if (found) {
    // Keys that were let through around our text belong where the caret was in the draft.
    const before = box.text.slice(0, found.at);
    const after = box.text.slice(found.at + found.length);
    const typed = before + (after.trim() === '' ? '' : after);
    return { submitted: 'no', ...insert(draft, caret, typed) };
  }
  // A draft that is there whole was never taken out, or is back: without an Enter of ours nothing was submitted.
  const stays = step === 'undoing' || (draft !== '' && box.text === draft);
  const entered = step === 'entered' || step === 'restoring' || step === 'restored';
  const submitted = entered ? 'yes' : stays ? 'no' : 'unknown';
  if (box.text === draft) return { submitted, text: draft, caret };
  if (isCut(box.text, draft)) return { submitted, text: draft, caret };
  if (draft === '') return { submitted, ...box };
  const withTyped = insert(draft, caret, box.text.trim() === '' ? '' : box.text);
  // From our Enter until it is on its way back it is certainly out: what is there was typed since.
  if (step === 'entered') return { submitted, ...withTyped };
  // A few letters stand in many a text.
  const tells = keys === 'held' ? draft.trim() !== '' : draft.trim().length >= TELLING_LENGTH;
  if (tells && box.text.includes(draft.trimEnd())) return { submitted, ...box };
  // It may have been in the box when the keys were freed: whether they changed it, or sent it, cannot be told.
  if (keys === 'freed') return { submitted, ...box, offer: true };
  return { submitted, ...withTyped };
}

const TELLING_LENGTH = 12;

// Our text in a box, whatever blanks the agent has made of its tabs and line ends. One that carries no header of ours may
// stand in anybody's text: it is ours only where nothing else is there.
export function findOurs(text: string, ours: string): { at: number; length: number } | undefined {
  const words = ours
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('\\s+');
  const hasHeader = /^\[Input from: .* #[0-9a-f]{12}$/m.test(ours);
  const found = new RegExp(hasHeader ? words : `^\\s*${words}\\s*$`).exec(text);
  if (!found) return undefined;
  const [whole] = found;
  return { at: found.index + whole.length - whole.trimStart().length, length: whole.trim().length };
}

// The draft itself, or what an agent left of it that cut blanks from its end.
export const isCut = (text: string, draft: string): boolean =>
  draft.startsWith(text) && draft.slice(text.length).trim() === '';

const insert = (draft: string, caret: number, typed: string): { text: string; caret: number } => ({
  text: draft.slice(0, caret) + typed + draft.slice(caret),
  caret: caret + typed.length,
});
