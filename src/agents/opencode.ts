// OpenCode. Measured on 1.18.33.
import { profile } from './profile.js';

export const opencode = profile('opencode', 'OpenCode', {
  packages: ['opencode-ai'],
  protocols: [{ protocol: 'direct' }, { protocol: 'editor' }, { protocol: 'interrupt' }],
  enterGapMs: 100,
  editor: {
    keys: ['C-x', 'e'],
    markGapMs: 80,
    file: '*/[0-9]*.md',
    callMs: 1500,
    quietMs: 100,
    enterGapMs: 100,
    submittedMs: 100,
    restoredMs: 100,
    trims: 'nothing',
    retakes: false,
    caretMoves: 'code_point',
    ignoresEmpty: true,
    harmsDialogs: false,
  },
  interrupt: { exitWindowMs: 2000, exitsWhenEmpty: true },
  cursorShownInBox: true,
  cursorAtCaret: true,
  refusalCeiling: 0,
});
