// What every protocol can do: load our text into a box that may hold a person's draft, and put the draft back.
import type { Injection, Pane, PaneView, Stroke } from '../tmux/index.js';
import type { BoxProfile, ProtocolName } from './box-profile.js';
import type { Envelope, Evidence } from './evidence.js';
import type { Look } from './look.js';

export type { Stroke } from '../tmux/index.js';

// What a person had typed. `exact`: byte for byte as the box held it; otherwise as the screen showed it.
export interface Draft {
  text: string;
  // Offset of the caret in `text` (UTF-16 units), where it is known.
  caret: number | null;
  exact: boolean;
}

// What a protocol can read and prove, and which keys it presses.
export interface Abilities {
  reads: 'exact' | 'screen';
  // How it knows that the draft is back: by reading the box again, by its look, or because the agent does it itself.
  provesRestore: 'read' | 'look';
  restoresCaret: boolean;
  // It finds out by itself whether the box has the focus, without harm where it has not.
  provesFocus: boolean;
  keys: readonly string[];
}

// How far an attempt has come; recorded in tmux in the same breath as the keys that bring it there.
export type SwapStep =
  // The box is being read: nothing of ours is in it but a mark or a sentinel.
  | 'reading'
  // Our text is in the box, or on its way into it.
  | 'typed'
  | 'entered'
  // The box has let go of our text, and the draft is on its way back.
  | 'restoring'
  // The draft is back and was read; only the caret may not be where it was.
  | 'restored'
  // Our text was not submitted and is not to be: the draft takes its place again.
  | 'undoing';

export interface SwapTools {
  pane: Pane;
  profile: BoxProfile;
  envelope: Envelope;
  // How the empty box looks, where that is known.
  look: Look | null;
  // Presses only if the pane lives, is in no mode, runs the same program and nobody took the journal over; with `seen`
  // also only if cursor and row are as they were seen.
  strokes(strokes: readonly Stroke[], step: SwapStep, seen?: PaneView): Promise<Injection>;
  // The draft as far as it has been read. On disk when this resolves; called again it replaces what was saved.
  save(draft: Draft): Promise<void>;
  // A view of a living pane; throws TmuxError when the program has ended.
  view(): Promise<PaneView>;
  clock(): number;
  // A name for files and marks that no other attempt has.
  token: string;
  signal: AbortSignal;
}

export type Refusal =
  // The box has no focus: a dialog, a menu, another view.
  | 'not_at_prompt'
  // The draft cannot be read whole: a collapsed paste, an image.
  | 'draft_unreadable'
  // The agent's own place for a draft is taken.
  | 'stash_taken'
  // Something appeared that neither we nor the draft account for.
  | 'user_typing'
  | 'text_not_found'
  | 'sentinel_not_found'
  | 'in_mode'
  | 'other_program'
  | 'gone';

export type Loaded =
  // Our text and nothing else is in the box, not submitted. `draft` is null where the box was empty.
  | { kind: 'loaded'; draft: Draft | null; view: PaneView; evidence: Evidence }
  // Nothing was changed, or all of it was undone: the box is as it was.
  | { kind: 'refused'; reason: Refusal; detail: string }
  // The box could not be left as it was; what was read of the draft is saved.
  | { kind: 'stuck'; reason: Refusal; detail: string; draft: Draft | null };

export type Restored =
  | { kind: 'restored'; proof: 'read' | 'look'; caret: boolean }
  // The draft is back, but our text, which it was to take the place of, was in the box no more.
  | { kind: 'ours_gone' }
  // The box still holds our text. Nothing was changed. `brokeLine`: with a newline behind it, which is what Enter became.
  | { kind: 'still_ours'; brokeLine?: true | undefined }
  // `found` is what the box holds instead, where it could be read.
  | { kind: 'mismatch'; found: string | null; detail: string };

// What the box holds after Enter, as exactly as the protocol can tell.
export type Held = 'nothing' | 'ours' | 'other' | 'unknown';

export interface Recovered {
  submitted: boolean | 'unknown';
  restored: Restored;
}

export interface Protocol {
  readonly name: ProtocolName;
  readonly abilities: Abilities;
  // Reads the draft, saves it, and leaves our text alone in the box.
  load(): Promise<Loaded>;
  // Puts the draft back and reads it again. `nothing`: our text was submitted, the box is to be empty; `ours`: Enter shall
  // not be pressed, the draft takes the place of our text.
  restore(draft: Draft | null, over: 'nothing' | 'ours'): Promise<Restored>;
  // Takes over from a daemon that died at `step`, with what it had saved: leaves the box holding the draft alone, or as
  // much of it as can be proved, and tells whether our text was submitted. `unknown`: the box cannot be read now. `keys`:
  // whether the persons' keys have waited all the time; those that were freed may have gone into the box at any point.
  recover(step: SwapStep, saved: Draft | null, keys: 'held' | 'freed'): Promise<Recovered>;
  // Lets go of whatever in the agent waits for us.
  abandon?(): Promise<void>;
}
