// Codex. Measured on 0.166.0.
import { profile } from '../profile.js';
import { codexDoor } from './index.js';

export const codex = profile('codex', 'Codex', {
  packages: ['@openai/codex'],
  door: codexDoor,
  signals: { waiting: 'needs_input' },
  mcp: { how: 'override', option: '-c', table: 'mcp_servers' },
  protocols: [{ protocol: 'direct' }, { protocol: 'editor' }, { protocol: 'interrupt' }],
  editor: {
    keys: ['C-g'],
    markGapMs: 0,
    file: '*/.codex/editor/*.md',
    // Under load its first call came after a second.
    callMs: 2000,
    quietMs: 60,
    enterGapMs: 60,
    submittedMs: 50,
    // It throws away what came before it reads again, a moment after its first output; under load 50 ms were too few.
    restoredMs: 120,
    shownMs: 300,
    trims: 'blanks',
    retakes: true,
    opensBehindEnter: false,
    removesFile: false,
    caretMoves: 'grapheme',
    ignoresEmpty: false,
    harmsDialogs: false,
  },
  interrupt: { exitWindowMs: 2000, exitsWhenEmpty: true },
  // Enter would cut off the answer of a running turn; Tab queues, and submits when idle.
  submitKey: 'Tab',
  cursorShownInBox: true,
  cursorAtCaret: true,
  refusalCeiling: 0,
});
