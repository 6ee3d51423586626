// An attempt that fails in the middle of a hand-over: the agent is out of its editor, and its draft is as it was.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EditorProtocol } from '../src/composer/editor.js';
import { Handover } from '../src/composer/handover.js';
import { Drafted } from './support/drafted.js';
import { swapTools } from './support/swap-tools.js';
import { ROOT, TestTmux } from './support/tmux.js';

const SHIM = path.join(ROOT, 'src/composer/editor-shim.sh');
const EDITOR = {
  keys: ['C-g'],
  file: '*/fake-prompt-*.md',
  markGapMs: 0,
  callMs: 3000,
  shownMs: 300,
  quietMs: 10,
  enterGapMs: 10,
  submittedMs: 10,
  restoredMs: 20,
  caretMoves: 'grapheme',
  trims: 'nothing',
  retakes: false,
  opensBehindEnter: false,
  removesFile: false,
  ignoresEmpty: false,
  harmsDialogs: false,
} as const;

let tmux: TestTmux;
beforeAll(() => {
  tmux = new TestTmux();
});
afterAll(async () => {
  tmux.dispose();
  await Drafted.cleanUp();
});

describe.each([
  ['the script takes our mark out', {}],
  ['our mark is left to us, since the script must not write the draft anew', { placeholder: '\\[Pasted' }],
])('a draft that cannot be saved while its agent is in its editor: %s', (_what, more) => {
  test('is as it was', async () => {
    const folder = fs.mkdtempSync(path.join(tmux.folder, 'swap-'));
    const visual = path.join(folder, 'visual');
    fs.writeFileSync(visual, `#!/bin/sh\nSM_SWAP='${folder}' exec sh '${SHIM}' "$@"\n`, { mode: 0o700 });
    const agent = await Drafted.start(tmux, ['--editor', 'C-g'], { env: { VISUAL: visual } });
    const before = await agent.put('half a thought', 5);
    const tools = swapTools(agent.pane, { profile: { editor: { ...EDITOR, ...more } } });
    tools.save = () => Promise.reject(new Error('the disk is full'));
    const handover = new Handover(folder);
    const protocol = new EditorProtocol(tools, handover);
    await expect(protocol.load()).rejects.toThrow('the disk is full');
    await protocol.abandon();
    expect((await agent.truth()).text).toBe(before.text);
    expect([agent.events('edited'), handover.isOpen]).toEqual([1, false]);
  });
});
