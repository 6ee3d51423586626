// pi. Measured on 0.73.1.
import { profile } from '../profile.js';
import { piDoor } from './index.js';

export const pi = profile('pi', 'pi', {
  packages: ['@mariozechner/pi-coding-agent'],
  door: piDoor,
  promptOption: '--append-system-prompt',
  mcp: { how: 'not', instead: 'it has no MCP, and can run the commands of sm' },
  protocols: [{ protocol: 'direct' }, { protocol: 'editor' }, { protocol: 'interrupt' }],
  editor: {
    keys: ['C-g'],
    markGapMs: 0,
    file: '*/pi-editor-*.pi.md',
    callMs: 500,
    quietMs: 30,
    enterGapMs: 30,
    submittedMs: 30,
    restoredMs: 30,
    shownMs: 300,
    trims: 'newline',
    retakes: true,
    opensBehindEnter: false,
    removesFile: false,
    caretMoves: 'grapheme',
    ignoresEmpty: false,
    harmsDialogs: false,
  },
  interrupt: { exitWindowMs: 1000, exitsWhenEmpty: false },
  cursorAtCaret: true,
  refusalCeiling: 0,
});
