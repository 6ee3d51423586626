// The trial of editing keys on fake agents and on real line editors: right answers, and the box left empty.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { looksEmpty, takeLook } from '../src/composer/look.js';
import { SentinelProtocol } from '../src/composer/sentinel.js';
import { runTrial } from '../src/composer/trial.js';
import type { Pane } from '../src/tmux/index.js';
import { Drafted } from './support/drafted.js';
import { swapTools } from './support/swap-tools.js';
import { ROOT, sees, TestTmux, until } from './support/tmux.js';

let tmux: TestTmux;
beforeAll(() => {
  tmux = new TestTmux();
});
afterAll(async () => {
  tmux.dispose();
  await Drafted.cleanUp();
});

const trialOn = (pane: Pane, look: ReturnType<typeof takeLook>, bracketed: boolean) =>
  runTrial({ ...swapTools(pane), look, bracketed });

describe('fake agents', () => {
  const line = { start: { key: 'C-a', moves: 'line' }, end: { key: 'C-e', moves: 'line' } };
  test.each([
    ['as most are', [], { ...line, killToEnd: { key: 'C-k', kills: 'line', joins: true } }],
    ['kills rows', ['--kill', 'row'], { ...line, killToEnd: { key: 'C-k', kills: 'row', joins: true } }],
    [
      'never joins',
      ['--kill-joins', 'no'],
      { ...line, killToEnd: { key: 'C-k', kills: 'line', joins: false } },
    ],
    ['start of a row', ['--home', 'row'], { start: { moves: 'row' }, end: { moves: 'line' } }],
    ['end of a row', ['--end', 'row'], { start: { moves: 'line' }, end: { moves: 'row' } }],
    ['with a placeholder', ['--placeholder', 'Ask anything'], line],
  ])('%s', async (_name, args, lineKeys) => {
    const agent = await Drafted.start(tmux, args, { width: 60 });
    expect(await trialOn(agent.pane, agent.look, true)).toMatchObject({ kind: 'keys', lineKeys });
    expect((await agent.truth()).text).toBe('');
    expect(agent.submissions()).toEqual([]);
  });

  test('letters: such keys insert letters there', async () => {
    const agent = await Drafted.start(tmux, ['--letters']);
    expect(await trialOn(agent.pane, agent.look, true)).toEqual({
      kind: 'unsupported',
      reason: 'no_line_start',
    });
    expect((await agent.truth()).text).toBe('');
    expect(agent.submissions()).toEqual([]);
  });

  test('a box that is not empty is left alone', async () => {
    const agent = await Drafted.start(tmux);
    const before = await agent.put('a draft');
    expect(await trialOn(agent.pane, agent.look, true)).toMatchObject({ kind: 'not_now' });
    expect(await agent.truth()).toEqual(before);
  });
});

const hasToolkit = ((): boolean => {
  try {
    execFileSync('python3', ['-c', 'import prompt_toolkit, readline'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe('line editors', () => {
  const editor = (name: string): string => path.join(ROOT, 'test/editors', name);
  const editors: [string, string[], boolean, string][] = [
    ['bash read -e', ['bash', editor('bash-read.sh')], false, 'bash>'],
    ['node readline', [process.execPath, editor('node-readline.mjs')], false, 'node>'],
    ['python readline', ['python3', editor('python-readline.py')], false, 'python>'],
    ['prompt_toolkit', ['python3', editor('prompt-toolkit.py')], true, 'toolkit>'],
  ];
  test.each(editors)('%s', async (name, command, bracketed, prompt) => {
    if (command[0] === 'python3' && !hasToolkit) {
      console.log(`${name}: skipped, python3 has no prompt_toolkit or no readline`);
      return;
    }
    const log = tmux.file(`${name.replace(/\W/g, '-')}.log`);
    fs.writeFileSync(log, '');
    const pane = await tmux.pane([`FAKE_LOG=${log}`, ...command], { width: 60 });
    await sees(pane, prompt);
    await pane.waitForGap(200, 2000);
    const look = takeLook(await pane.view());
    const verdict = await trialOn(pane, look, bracketed);
    expect(fs.readFileSync(log, 'utf8')).toBe('');
    expect(looksEmpty(await pane.view(), look)).toBe(true);
    if (name === 'prompt_toolkit') {
      // Its arrow keys stay within a line.
      expect(verdict).toEqual({ kind: 'unsupported', reason: 'lines_not_crossed' });
      return;
    }
    // Some versions of node put characters that arrive together in the wrong order.
    if (name === 'node readline' && verdict.kind === 'unsupported') {
      expect(verdict.reason).toBe('scrambles');
      return;
    }
    if (verdict.kind !== 'keys') throw new Error(JSON.stringify(verdict));
    expect(verdict.lineKeys).toMatchObject({ start: { moves: 'line' }, end: { moves: 'line' } });
    // Nothing was submitted by it, and the keys that it found carry a swap.
    expect(fs.readFileSync(log, 'utf8')).toBe('');
    const drafts = ['half a thought  ', `${'long '.repeat(20)}`, ...(bracketed ? ['one\n\n  two'] : [])];
    for (const [i, draft] of drafts.entries()) {
      fs.writeFileSync(log, '');
      const payload = `[mail] #e${i} hello`;
      await pane.paste(draft);
      await pane.press(['Left', 'Left']);
      await pane.waitForGap(200, 2000);
      const tools = swapTools(pane, {
        lineKeys: verdict.lineKeys,
        look,
        payload,
        mark: `#e${i}`,
        token: `e${i}`,
      });
      const protocol = new SentinelProtocol(tools);
      const loaded = await protocol.load();
      if (loaded.kind !== 'loaded') throw new Error(`${draft}: ${JSON.stringify(loaded)}`);
      expect(loaded.draft).toEqual({ text: draft, caret: draft.length - 2, exact: true });
      await pane.press(['Enter']);
      await until(() => fs.readFileSync(log, 'utf8').includes(payload), 'the submission');
      await pane.waitForGap(100, 2000);
      expect(await protocol.restore(loaded.draft, 'nothing')).toMatchObject({
        kind: 'restored',
        proof: 'read',
      });
      await pane.type('!');
      await pane.waitForGap(50, 500);
      await pane.press(['Enter']);
      const expected = `${draft.slice(0, -2)}!${draft.slice(-2)}`;
      const wanted = bracketed ? JSON.stringify(expected) : expected;
      await until(() => fs.readFileSync(log, 'utf8').split('\n').length > 2, 'the draft, submitted');
      expect(fs.readFileSync(log, 'utf8').split('\n')[1]).toBe(wanted);
      await pane.waitForGap(100, 2000);
    }
  });
});
