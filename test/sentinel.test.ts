// The sentinel protocol on fake agents: every row of its table of edge cases, its walk-through, its open questions.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LineKeys } from '../src/composer/box-profile.js';
import type { Stroke } from '../src/composer/protocol.js';
import { SentinelProtocol, suitsSentinel } from '../src/composer/sentinel.js';
import { Drafted } from './support/drafted.js';
import { FAKE_KEYS, swapTools, type ToolOptions } from './support/swap-tools.js';
import { TestTmux, until } from './support/tmux.js';

let tmux: TestTmux;
beforeAll(() => {
  tmux = new TestTmux();
});
afterAll(async () => {
  tmux.dispose();
  await Drafted.cleanUp();
});

// Load, Enter, restore: what the agent took, and what the box holds in the end by its own word.
async function swap(agent: Drafted, draft: string, back = 0, options: ToolOptions = {}) {
  const before = await agent.put(draft, back);
  const tools = swapTools(agent.pane, { look: agent.look, ...options });
  const protocol = new SentinelProtocol(tools);
  const loaded = await protocol.load();
  if (loaded.kind !== 'loaded') return { before, loaded, after: await agent.truth(), tools };
  const inBox = await agent.truth();
  await agent.enter();
  const restored = await protocol.restore(loaded.draft, 'nothing');
  return { before, loaded, inBox, restored, after: await agent.truth(), tools };
}

const DRAFTS: [string, string, number][] = [
  ['empty box', '', 0],
  ['one line', 'hello world', 0],
  ['cursor on line 2 of 3', 'Line 1\nLine 2\nLine 3', 8],
  ['three lines, cursor at the start', 'Line 1\nLine 2\nLine 3', 20],
  ['blank line inside', 'above\n\nbelow', 0],
  ['blank lines at both ends', '\n\nmiddle\n\n', 3],
  ['trailing blanks', 'one   \n  two  \n   ', 0],
  ['wrapped line', 'word '.repeat(50), 17],
  ['wrapped without blanks', 'x'.repeat(333), 100],
  ['wrapped and blank', `${'ab '.repeat(90)}\n\n${'c'.repeat(98)}\nend`, 4],
  ['five lines', 'first\nsecond line\n  third\nfourth\nfifth', 0],
  ['ten lines', Array.from({ length: 10 }, (_, i) => `line ${i}`).join('\n'), 33],
  ['wide characters', '漢字 かな\n한국어 🎉 done', 5],
  ['combining', 'e\u0301a\u0308 cafe\u0301', 2],
  ['a line exactly as wide as the box', 'y'.repeat(98), 0],
  ['end mark at the edge', 'y'.repeat(92 - 6), 0],
  ['like a prompt', '> > ❯ | │', 0],
];

describe('drafts come back as they were, with the caret', () => {
  test.each(DRAFTS)('%s', async (_name, draft, back) => {
    await comesBack(await Drafted.start(tmux), draft, back);
  });

  test('a bar where the line is wrapped, as the side of a box would stand', async () => {
    const agent = await Drafted.start(tmux, [], { width: 47, height: 40 });
    const lines = ['', 'ไทย  `$()`', 'かな       ', '   ', '`$()`é👍🏽|[~/g*?,longer-word*ic&?', ''];
    const draft = [...lines, `>é${'x'.repeat(30)}│שלום\`$()\``].join('\n');
    await comesBack(agent, draft, 29);
  });
});

async function comesBack(agent: Drafted, draft: string, back: number, options: ToolOptions = {}) {
  const { before, loaded, inBox, restored, after, tools } = await swap(agent, draft, back, options);
  expect(loaded, JSON.stringify({ ...loaded, view: 0 })).toMatchObject({ kind: 'loaded' });
  expect(inBox?.text).toBe(tools.envelope.payload);
  expect(agent.submissions().at(-1)).toBe(tools.envelope.payload);
  expect(restored, JSON.stringify(restored)).toMatchObject({ kind: 'restored', caret: true });
  expect(after).toEqual(before);
  expect(tools.saved?.text ?? '').toBe(draft);
}

// A refusal leaves the box as it was, to the caret.
async function isRefused(agent: Drafted, draft: string, reason: string, options: ToolOptions = {}, back = 2) {
  const { before, loaded, after } = await swap(agent, draft, back, options);
  expect(loaded, JSON.stringify({ ...loaded, view: 0 })).toMatchObject({ kind: 'refused', reason });
  expect(after).toEqual(before);
  expect(agent.submissions()).toEqual([]);
}

const MANY = 'one\n\n  two and some more words to make it wrap once the marks are there \nthree  ';

describe('other boxes', () => {
  const kills = (kill: Partial<LineKeys['killToEnd']>): ToolOptions => ({
    lineKeys: { ...FAKE_KEYS, killToEnd: { ...FAKE_KEYS.killToEnd, ...kill } },
  });
  const variants: [string, string[], ToolOptions][] = [
    ['C-k kills a row of the screen', ['--kill', 'row'], kills({ kills: 'row' })],
    ['C-k never takes the newline', ['--kill-joins', 'no'], kills({ joins: false })],
    ['both', ['--kill', 'row', '--kill-joins', 'no'], kills({ kills: 'row', joins: false })],
    ['backspace never takes the newline', ['--backspace-joins', 'no'], {}],
    ['paints every 240 ms', ['--paint-every', '240'], { lineKeys: { ...FAKE_KEYS, echoMs: 300 } }],
    ['shows three rows and scrolls', ['--box-rows', '3'], {}],
    ['no prompt, no rules', ['--no-prompt', '--no-rules'], {}],
    ['a placeholder when empty', ['--placeholder', 'Ask anything'], {}],
    ['collapses long pastes, the draft was typed', ['--collapse', '60'], { payload: '[mail] #m1 hi' }],
    ['whose empty look is not known', [], { look: null }],
  ];
  // On a loaded machine a screen that is never at rest may be seen half painted until the deadline.
  test('repaints all the time, the cursor elsewhere', { retry: 2 }, async () => {
    await comesBack(await Drafted.start(tmux, ['--redraw', '40'], { width: 60 }), MANY, 9);
  });

  test.each(variants)('%s', async (name, args, options) => {
    const agent = await Drafted.start(tmux, args, { width: 60 });
    if (name.startsWith('collapses')) {
      for (const [i, line] of MANY.split('\n').entries()) {
        if (i) await agent.pane.press(['C-j']);
        if (line) await agent.pane.type(line);
      }
      agent.put = () => agent.truth();
    }
    if (name.startsWith('paints')) {
      await agent.put(MANY, 9);
      // What a person typed is on the screen by the time a swap begins.
      await agent.pane.waitForGap(300, 2000);
      agent.put = () => agent.truth();
    }
    await comesBack(agent, MANY, 9, options);
  });
});

describe('refusals leave the box as it was', () => {
  const rows: LineKeys = { ...FAKE_KEYS, start: { key: 'C-a', moves: 'row' } };
  test('keys that stop at screen rows cannot be exact: not one key is pressed', async () => {
    expect(suitsSentinel(rows)).toBe(false);
    expect(suitsSentinel(undefined)).toBe(false);
    expect(suitsSentinel(FAKE_KEYS)).toBe(true);
    let pressed = 0;
    const before = (): void => {
      pressed++;
    };
    const agent = await Drafted.start(tmux, ['--home', 'row']);
    await isRefused(agent, 'a draft', 'draft_unreadable', { lineKeys: rows, before });
    expect(pressed).toBe(0);
  });

  test('large paste placeholder: the caret jumps over it', async () => {
    const agent = await Drafted.start(tmux, ['--collapse', '50']);
    await isRefused(agent, `${'long '.repeat(30)}`, 'draft_unreadable', {}, 0);
    expect((await agent.truth()).text).toBe('long '.repeat(30));
  });

  test('a tab that looks like blanks', async () => {
    const agent = await Drafted.start(tmux);
    await isRefused(agent, 'one\tfour\nlast', 'draft_unreadable');
  });

  test('copy mode: deferred, nothing is typed', async () => {
    const agent = await Drafted.start(tmux);
    const before = await agent.put('draft');
    tmux.run('copy-mode', '-t', agent.pane.id);
    const loaded = await new SentinelProtocol(swapTools(agent.pane, { look: agent.look })).load();
    expect(loaded).toMatchObject({ kind: 'refused', reason: 'in_mode' });
    tmux.run('send-keys', '-t', agent.pane.id, '-X', 'cancel');
    expect(await agent.truth()).toEqual(before);
  });

  test('sentinel not found: a dialog has the keys, and stays as it is', async () => {
    const agent = await Drafted.start(tmux, [], { program: 'dialog' });
    const before = await agent.put('draft in the box');
    process.kill(agent.pid, 'SIGUSR1');
    await until(() => agent.events('dialog') === 1, 'the dialog');
    await agent.pane.waitForGap(50, 1000);
    const loaded = await new SentinelProtocol(swapTools(agent.pane, { look: agent.look })).load();
    expect(loaded).toMatchObject({ kind: 'refused', reason: 'sentinel_not_found' });
    expect(agent.events('approve') + agent.events('deny')).toBe(0);
    await agent.pane.press(['n']);
    await until(() => agent.events('deny') === 1, 'the answer');
    expect(await agent.truth()).toEqual(before);
  });

  test('a control key that inserts a letter: the marks are not where they should be', async () => {
    const agent = await Drafted.start(tmux, ['--letters']);
    const { loaded, after } = await swap(agent, 'plain draft', 0);
    expect(loaded.kind).toBe('stuck');
    expect(agent.submissions()).toEqual([]);
    expect(after.text).toContain('plain draft');
  });

  test.each([1, 2, 3, 4])(
    'user typing before stroke %i: their key is kept, nothing is submitted',
    async (when) => {
      const agent = await Drafted.start(tmux);
      const before = async (call: number): Promise<void> => {
        if (call !== when + 1) return;
        await agent.pane.type('X');
        await agent.pane.waitForGap(20, 200);
      };
      const { loaded, after } = await swap(agent, 'Line 1\nLine 2\nLine 3', 8, { before });
      expect(loaded).toMatchObject({ kind: 'refused' });
      expect(agent.submissions()).toEqual([]);
      expect(after.text.replace('X', '')).toBe('Line 1\nLine 2\nLine 3');
      expect(after.text).toContain('X');
    },
  );

  test('before a key that deletes any of it the draft is saved', async () => {
    const agent = await Drafted.start(tmux);
    const draft = 'a\n\nb  ';
    let onDisk: string | undefined;
    let atFirstDeletion: string | undefined;
    const before = (_call: number, strokes: readonly Stroke[], step: string): void => {
      onDisk = tools.saved?.text;
      if (step === 'typed') atFirstDeletion ??= onDisk;
      else if (strokes.some((stroke) => 'keys' in stroke && stroke.keys.includes('C-k')))
        throw new Error('a kill while reading');
    };
    await agent.put(draft, 1);
    const tools = swapTools(agent.pane, { look: agent.look, before });
    expect((await new SentinelProtocol(tools).load()).kind).toBe('loaded');
    expect(atFirstDeletion).toBe(draft);
  });

  test('Enter shall not be pressed: the draft takes the place of our text', async () => {
    const agent = await Drafted.start(tmux);
    const before = await agent.put('draft\nof two', 4);
    const protocol = new SentinelProtocol(swapTools(agent.pane, { look: agent.look }));
    const loaded = await protocol.load();
    if (loaded.kind !== 'loaded') throw new Error(JSON.stringify(loaded));
    expect(await protocol.check()).toBe('ours');
    expect(await protocol.restore(loaded.draft, 'nothing')).toEqual({ kind: 'still_ours' });
    expect(await protocol.restore(loaded.draft, 'ours')).toMatchObject({ kind: 'restored', caret: true });
    expect(await agent.truth()).toEqual(before);
    expect(agent.submissions()).toEqual([]);
  });
});
