// SwapTools on a pane of a test's own tmux server: what a daemon gives a protocol, without the daemon.
import type { BoxProfile, LineKeys } from '../../src/composer/box-profile.js';
import { pinned } from '../../src/composer/direct.js';
import type { Look } from '../../src/composer/look.js';
import type { Draft, Stroke, SwapStep, SwapTools } from '../../src/composer/protocol.js';
import { type Injection, type Pane, type PaneView, TmuxError } from '../../src/tmux/index.js';

// What the fake agents' keys do unless they are told otherwise.
export const FAKE_KEYS: LineKeys = {
  start: { key: 'C-a', moves: 'line' },
  end: { key: 'C-e', moves: 'line' },
  killToEnd: { key: 'C-k', kills: 'line', joins: true },
  backspace: 'BSpace',
  echoMs: 30,
};

export const boxProfile = (lineKeys: LineKeys | undefined): BoxProfile => ({
  protocols: [{ protocol: 'sentinel' }],
  ...(lineKeys ? { lineKeys } : {}),
  submitKey: 'Enter',
  enterGapMs: 0,
  keepsKeys: true,
  cursorAtCaret: true,
  cursorShownInBox: true,
  pace: { stepMs: 0, enterMs: 0 },
  refusalCeiling: 0,
});

// As kill -9 in the middle of a swap: nothing more is pressed, looked at or saved.
export class Killed extends Error {}

export interface TestTools extends SwapTools {
  // What is on disk, and every step in the order of the strokes.
  saved: Draft | null;
  steps: SwapStep[];
}

export interface ToolOptions {
  lineKeys?: LineKeys;
  profile?: Partial<BoxProfile>;
  look?: Look | null;
  payload?: string;
  mark?: string;
  token?: string;
  // Dies once this many calls of `strokes` have gone through.
  dieAfter?: number;
  // Called before each stroke, with its number: a person's key, or a look at what is saved.
  before?: (call: number, strokes: readonly Stroke[], step: SwapStep) => Promise<void> | void;
}

export function swapTools(pane: Pane, options: ToolOptions = {}): TestTools {
  const { mark = '#m1', token = 'token', dieAfter = Number.POSITIVE_INFINITY } = options;
  let calls = 0;
  const tools: TestTools = {
    pane,
    profile: { ...boxProfile(options.lineKeys ?? FAKE_KEYS), ...options.profile },
    envelope: { payload: options.payload ?? `[Input from: test] ${mark}\nhello there`, mark },
    look: options.look ?? null,
    saved: null,
    steps: [],
    async strokes(strokes: readonly Stroke[], step: SwapStep, seen?: PaneView): Promise<Injection> {
      if (calls >= dieAfter) throw new Killed(`after ${calls} strokes`);
      calls++;
      await options.before?.(calls, strokes, step);
      tools.steps.push(step);
      return pane.strokes(strokes, seen ? pinned(seen, undefined) : {});
    },
    async save(draft: Draft): Promise<void> {
      if (calls >= dieAfter) throw new Killed('before a save');
      tools.saved = draft;
    },
    async view(): Promise<PaneView> {
      const view = await pane.view();
      if (view.dead) throw new TmuxError('view', `can't find a program in ${pane.id}`);
      return view;
    },
    clock: () => Date.now(),
    token,
    signal: new AbortController().signal,
  };
  return tools;
}
