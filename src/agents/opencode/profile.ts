// OpenCode. Measured on 1.18.33.
import { profile } from '../profile.js';
import { opencodeDoor } from './index.js';

export const opencode = profile('opencode', 'OpenCode', {
  packages: ['opencode-ai'],
  door: opencodeDoor,
  signals: { waiting: 'needs_input' },
  mcp: { how: 'variable', name: 'OPENCODE_CONFIG_CONTENT' },
  protocols: [{ protocol: 'direct' }, { protocol: 'editor' }, { protocol: 'interrupt' }],
  enterGapMs: 100,
  editor: {
    keys: ['C-x', 'e'],
    markGapMs: 80,
    seesMark: 'always',
    file: '*/[0-9]*.md',
    // Under load it takes seconds; a dialog is known by its hidden cursor.
    callMs: 3000,
    quietMs: 100,
    enterGapMs: 100,
    submittedMs: 100,
    restoredMs: 100,
    // A typed burst.
    shownMs: 3000,
    trims: 'nothing',
    retakes: true,
    opensBehindEnter: false,
    removesFile: false,
    caretAfter: 'newlines_short',
    caretMoves: 'code_point',
    ignoresEmpty: true,
    harmsDialogs: false,
  },
  interrupt: { exitWindowMs: 2000, exitsWhenEmpty: true },
  cursorShownInBox: true,
  cursorAtCaret: true,
  refusalCeiling: 0,
});
