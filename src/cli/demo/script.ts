// The words and the pace of the demo.
export const GREETING = 'Hello bob. Please answer mail from ada.';
export const REQUEST = 'Please tell bob that the tests pass.';
// Characters that a shell, tmux or a terminal would like to make something of.
export const NEWS =
  'The tests are green: 214 of 214.\nNext: review "api.ts"; keep $HOME, #{pane_id} & the café as is.';
export const THANKS = 'Thank you, ada. I take "api.ts" now.';

// What the person writes, as they stop on the way. The mail comes at the second stop, in the middle of a word.
export const DRAFT = ['please do not', ' lose this sent', 'ence, it took me', ' a while'] as const;
export const SENTENCE = DRAFT.join('');

// All that Suremail is told of the scripted agents: the key of their editor, and the file that they hand it.
export const PROFILE = {
  name: 'demo',
  yaml: "programs: [agent]\neditor: { keys: [C-g], file: '*.prompt.md' }\ncursorAtCaret: true\n",
} as const;

export interface Pace {
  msPerKey: number;
  // For whoever watches, to take in a screen.
  readMs: number;
  // How long after the last receipt a second copy would have time to show.
  aftermathMs: number;
}

const PACE: Pace = { msPerKey: 75, readMs: 900, aftermathMs: 700 };
export const paceOf = (args: readonly string[]): Pace =>
  args.includes('--fast')
    ? { msPerKey: PACE.msPerKey / 2, readMs: PACE.readMs / 2, aftermathMs: PACE.aftermathMs / 2 }
    : PACE;

// Longer than the person needs for the rest of their sentence, so that their prompt finds bob at work.
export const BOB_TURN_MS = 3600;
export const ADA_TURN_MS = 1500;
export const ANSWER_AFTER_MS = 500;

export const PANE = { width: 68, height: 12 };
