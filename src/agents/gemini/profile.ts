// Gemini CLI. Measured on 0.61.0.
import { profile } from '../profile.js';
import { geminiDoor } from './index.js';

export const gemini = profile('gemini', 'Gemini CLI', {
  packages: ['@google/gemini-cli'],
  door: geminiDoor,
  signals: { waiting: 'needs_input' },
  mcp: { how: 'not', instead: '"gemini mcp add --scope user sm sm mcp" puts it into its own settings' },
  protocols: [{ protocol: 'direct' }, { protocol: 'editor' }, { protocol: 'interrupt' }],
  // An Enter within 50 ms of a paste is a newline.
  enterGapMs: 80,
  editor: {
    keys: ['C-g'],
    markGapMs: 60,
    seesMark: 'if_typed',
    file: '*/gemini-edit-*/buffer.txt',
    callMs: 800,
    quietMs: 100,
    enterGapMs: 80,
    submittedMs: 60,
    restoredMs: 60,
    shownMs: 500,
    trims: 'nothing',
    retakes: true,
    opensBehindEnter: false,
    removesFile: true,
    caretMoves: 'code_point',
    ignoresEmpty: false,
    harmsDialogs: false,
  },
  interrupt: { exitWindowMs: 3000, exitsWhenEmpty: false },
  // It judges an arrow by what it has painted, and in a long conversation it paints late: Right at what was the end is lost.
  // Letters behind letters it takes in their order.
  pace: { stepMs: 30, enterMs: 150, echoMs: 400, textMs: 8 },
  cursorAtCaret: true,
  refusalCeiling: 0,
});
