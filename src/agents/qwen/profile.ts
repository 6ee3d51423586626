// Qwen Code. Measured on 0.24.4.
import { profile } from '../profile.js';
import { qwenDoor } from './index.js';

export const qwen = profile('qwen', 'Qwen Code', {
  packages: ['@qwen-code/qwen-code'],
  door: qwenDoor,
  promptOption: '--append-system-prompt',
  signals: { waiting: 'needs_input' },
  mcp: { how: 'file', option: '--mcp-config={file}', once: true },
  protocols: [{ protocol: 'direct' }, { protocol: 'editor' }, { protocol: 'interrupt' }],
  // Sooner after a long paste it submits the placeholder instead of the text.
  enterGapMs: 100,
  editor: {
    keys: ['C-x'],
    markGapMs: 50,
    seesMark: 'if_typed',
    file: '*/qwen-edit-*/buffer.txt',
    callMs: 1000,
    quietMs: 80,
    enterGapMs: 80,
    submittedMs: 80,
    restoredMs: 80,
    shownMs: 500,
    trims: 'nothing',
    retakes: false,
    opensBehindEnter: false,
    removesFile: false,
    caretMoves: 'code_point',
    ignoresEmpty: false,
    placeholder: '\\[Pasted Content \\d+ chars\\]',
    harmsDialogs: false,
  },
  interrupt: { exitWindowMs: 2000, exitsWhenEmpty: false },
  cursorShownInBox: true,
  cursorAtCaret: true,
  refusalCeiling: 0,
});
