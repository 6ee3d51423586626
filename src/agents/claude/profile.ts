// Claude Code. Measured on 2.1.325, stash on 2.0.77 and newer.
import type { BoxProfile } from '../../composer/index.js';
import { profile } from '../profile.js';
import { claudeDoor } from './index.js';
import { saidIn } from './said.js';

const editor: NonNullable<BoxProfile['editor']> = {
  keys: ['C-g'],
  markGapMs: 0,
  file: '*/claude-prompt-*.md',
  callMs: 800,
  quietMs: 0,
  enterGapMs: 0,
  submittedMs: 0,
  // It takes what is typed right behind the editor's end, in order: 72 of 72.
  restoredMs: 0,
  shownMs: 300,
  trims: 'newline',
  retakes: false,
  // The key right behind Enter found the box empty: 41 of 41.
  opensBehindEnter: true,
  removesFile: false,
  caretMoves: 'grapheme',
  ignoresEmpty: false,
  harmsDialogs: false,
};

// Older ones open the editor on what they have shown.
const seen = { ...editor, markGapMs: 60, seesMark: 'if_typed' as const, opensBehindEnter: false };

export const claude = profile('claude', 'Claude Code', {
  packages: ['@anthropic-ai/claude-code'],
  door: claudeDoor,
  promptOption: '--append-system-prompt',
  signals: {
    waiting: 'needs_input',
    hooks: [
      // For a minute nothing was asked of it.
      {
        event: 'Notification',
        where: { field: 'notification_type', is: 'idle_prompt' },
        state: 'needs_input',
        message: 'message',
        weak: true,
      },
      // The turn ended because the model could not be asked: rate_limit, overloaded, server_error ...
      { event: 'StopFailure', state: 'error', message: 'error' },
    ],
    conversation: { field: 'session_id', fact: 'conversation' },
  },
  // Without `alwaysLoad` it has to search for tools before it can call them.
  mcp: { how: 'file', option: '--mcp-config={file}', entry: { type: 'stdio', alwaysLoad: true } },
  interruptKeys: ['Escape'],
  record: { file: ({ transcript }) => transcript, said: saidIn },
  bell: {
    since: '2.1.150',
    // What fits into two rows is read at a glance where it was typed; a longer one would fill the box, or be collapsed in it.
    typed: { lines: 1, characters: 200 },
    // Of more than that it gives the model only the beginning, and the name of a file.
    most: 10_000,
  },
  protocols: [
    { protocol: 'direct' },
    { protocol: 'editor' },
    { protocol: 'stash', since: '2.1.150' },
    { protocol: 'interrupt' },
  ],
  editor,
  older: [
    {
      // They take keys that they read at once for a paste, control keys and Enter included: each gets time to be read.
      before: '2.1.112',
      box: {
        editor: { ...seen, enterGapMs: 300, submittedMs: 80, restoredMs: 80, quietMs: 80 },
        enterGapMs: 300,
        // Keys that come while it paints overwrite each other, and its cursor does not tell when it has.
        keepsKeys: false,
        pace: { stepMs: 70, enterMs: 150 },
      },
    },
    { before: '2.1.285', box: { editor: seen } },
  ],
  stash: { key: 'C-s', taken: 'stashed' },
  interrupt: { exitWindowMs: 2000, exitsWhenEmpty: false, placeholder: '\\[Pasted text #\\d+' },
  pace: { stepMs: 3, enterMs: 150 },
  cursorAtCaret: true,
  refusalCeiling: 0,
});
