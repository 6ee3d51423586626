// What the composer needs to know about an agent's input box, as data; `agents/` fills it in. Times are milliseconds.
import type { HoldPace } from '../tmux/index.js';

export type ProtocolName = 'direct' | 'editor' | 'stash' | 'sentinel' | 'interrupt';

// A protocol that suits an agent, from a version on; `not` lists versions on which it is known to fail.
export interface ProtocolChoice {
  protocol: ProtocolName;
  since?: string;
  not?: readonly string[];
}

export interface EditorProfile {
  // The key, or the keys in turn, that open the external editor.
  keys: readonly string[];
  // Time between the caret mark and the key; 0 puts both into one write.
  markGapMs: number;
  // It opens the editor on what it has shown so far, and what was typed but is not shown is lost: the mark must be seen
  // before the key is pressed. `if_typed`: in a vim's NORMAL mode the mark is no text and is never seen.
  seesMark?: 'always' | 'if_typed';
  // What the name of the file it hands over looks like (a glob for sh).
  file: string;
  // How long it may take until the editor is called, before that proves that the box has no focus.
  callMs: number;
  // Quiet needed before the first key, between the text being seen and Enter, after the submit, after the draft is back.
  quietMs: number;
  enterGapMs: number;
  submittedMs: number;
  restoredMs: number;
  // How late it may show what was typed.
  shownMs: number;
  // What it cuts from the end of the file that it takes back.
  trims: 'nothing' | 'newline' | 'newlines' | 'blanks';
  // It takes the file back even when nothing was changed in it, and moves the caret to its end.
  retakes: boolean;
  // It takes keys in turn: its editor, asked for right behind Enter, is called on what Enter has left.
  opensBehindEnter: boolean;
  // It removes the file once it has taken it back, and what is typed before that is lost.
  removesFile: boolean;
  // What one press of Left passes over.
  caretMoves: 'grapheme' | 'code_point';
  // Where its caret stands in a text that it has taken back: at its end, or so many columns before it as there are newlines.
  caretAfter?: 'end' | 'newlines_short';
  // It leaves the box as it was when the file comes back empty.
  ignoresEmpty: boolean;
  // It hands over only a placeholder for a long paste; text that looks like one (a RegExp) makes us wait.
  placeholder?: string;
  // Its key must not be pressed while a dialog may be open.
  harmsDialogs: boolean;
}

export interface StashProfile {
  key: string;
  // Literal text on the screen that shows that the one slot is taken: seeing it makes us wait.
  taken: string;
}

// What editing keys do, for the sentinel. `row` is a row of the screen, `line` what ends with a newline.
export interface LineKeys {
  start: { key: string; moves: 'row' | 'line' };
  end: { key: string; moves: 'row' | 'line' };
  // Deletes from the caret to the end; `joins`: pressed at the end it takes the newline.
  killToEnd: { key: string; kills: 'row' | 'line'; joins: boolean };
  // Deletes backwards; at the start of a line it takes the newline before it.
  backspace: string;
  // How long its screen may lag behind a key.
  echoMs: number;
}

export interface InterruptProfile {
  // A second Ctrl-C within this time ends the agent.
  exitWindowMs: number;
  // A Ctrl-C on an empty box ends the agent.
  exitsWhenEmpty: boolean;
  // What a collapsed paste looks like (a RegExp): it would be lost, so seeing it makes us wait.
  placeholder?: string;
}

export interface BoxProfile {
  // Tried in this order; what the configuration does not allow is left out.
  protocols: readonly ProtocolChoice[];
  editor?: EditorProfile;
  stash?: StashProfile;
  lineKeys?: LineKeys;
  interrupt?: InterruptProfile;
  // The key that submits the box and never aborts a running turn.
  submitKey: string;
  // How long it turns an Enter into a newline after a paste.
  enterGapMs: number;
  // The terminal's cursor stands at the caret, shown or not.
  cursorAtCaret: boolean;
  // The terminal's cursor is shown in its box and hidden in its dialogs.
  cursorShownInBox: boolean;
  // Keys that waited can be let through so that it takes them in their order; if not, a person who types is waited for.
  keepsKeys: boolean;
  // How fast held keys may be let through, and the time around an Enter among them.
  pace: HoldPace;
  // The share of random drafts that its protocols may refuse, 0 to 1.
  refusalCeiling: number;
}
