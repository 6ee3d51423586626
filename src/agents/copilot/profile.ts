// GitHub Copilot CLI. Measured on 1.0.102.
import { profile } from '../profile.js';
import { copilotDoor } from './index.js';

export const copilot = profile('copilot', 'GitHub Copilot CLI', {
  packages: ['@github/copilot'],
  door: copilotDoor,
  signals: { waiting: 'needs_input' },
  mcp: { how: 'file', option: '--additional-mcp-config=@{file}', entry: { type: 'local', tools: ['*'] } },
  protocols: [
    { protocol: 'direct' },
    { protocol: 'editor' },
    { protocol: 'stash' },
    { protocol: 'interrupt' },
  ],
  enterGapMs: 200,
  editor: {
    keys: ['C-g'],
    markGapMs: 0,
    seesMark: 'always',
    file: '*/copilot-edit-*/COPILOT_PROMPT.md',
    // Usually 22 ms; once it was not called within 1.5 s.
    callMs: 3000,
    // It drops keys that come within 200 ms of a paste.
    quietMs: 250,
    enterGapMs: 200,
    submittedMs: 200,
    restoredMs: 250,
    shownMs: 1500,
    trims: 'newline',
    retakes: true,
    opensBehindEnter: false,
    removesFile: false,
    caretMoves: 'grapheme',
    ignoresEmpty: false,
    placeholder: '\\[Paste #\\d+ - \\d+ lines\\]',
    // There the key cancels what the dialog asks about.
    harmsDialogs: true,
  },
  stash: { key: 'C-s', taken: 'stashed' },
  interrupt: { exitWindowMs: 2000, exitsWhenEmpty: false },
  cursorShownInBox: true,
  cursorAtCaret: true,
  // It takes an Enter that comes within 200 ms for a part of what was typed.
  pace: { stepMs: 12, enterMs: 250 },
  refusalCeiling: 0,
});
