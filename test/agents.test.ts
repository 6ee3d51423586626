// The fake agents themselves: what a test relies on when it takes their word for what a real agent would have done.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endFakes, type FakePane, fakePane } from './support/fake-pane.js';
import { sees, TestTmux, until } from './support/tmux.js';

let tmux: TestTmux;
beforeAll(() => {
  tmux = new TestTmux();
});
afterAll(() => endFakes(tmux));

const box = (args: string[] = [], options: Parameters<typeof fakePane>[3] = {}): Promise<FakePane> =>
  fakePane(tmux, 'box', args, options);

// The rows between the two rules, without the prompt.
const boxRows = async (agent: FakePane): Promise<string[]> => {
  const rows = await agent.screen();
  const rules = rows.flatMap((row, i) => (row.startsWith('───') ? [i] : []));
  return rows.slice((rules.at(-2) ?? 0) + 1, rules.at(-1)).map((row) => row.slice(2).trimEnd());
};

const ends = (agent: FakePane): Promise<unknown> => until(() => agent.count('exit'), 'the agent to end');

describe('the draft as ground truth', () => {
  test('tells text and caret with pastes in full, and leaves the screen alone', async () => {
    const agent = await box(['--collapse', '10']);
    await agent.type('a🙂');
    await agent.paste('one\ntwo and more');
    await agent.type('z');
    await agent.press('Left', 'Left');
    await agent.holds('a🙂▏one\ntwo and morez');
    await sees(agent.pane, '[Pasted text #1 +1 lines]z');
    const before = await agent.screen();
    await agent.draft();
    expect(await agent.screen()).toEqual(before);
  });

  test.each([
    ['wide', '中文かな'],
    ['combining', 'e\u0301a\u0308\u0323x'],
    ['joined emoji', '👩‍👩‍👧 x 👨🏽‍💻'],
    ['variation selector and flag', '❤️ 🇩🇪'],
  ])('the caret is painted where tmux draws it: %s', async (_, text) => {
    const agent = await box([], { width: 40 });
    const plain = await tmux.pane(['sh', '-c', 'printf "%s" "$1"; exec cat', 'sh', `> ${text}`]);
    await agent.type(text);
    await sees(agent.pane, text);
    await sees(plain, text);
    const { cursor } = await plain.view();
    expect((await agent.pane.view()).cursor.x).toBe(cursor.x);
  });

  test('wide and joined characters at the edge of a row', async () => {
    const agent = await box([], { width: 12 });
    await agent.type('123456789中👩‍👩‍👧e\u0301');
    await agent.holds('123456789中👩‍👩‍👧e\u0301▏');
    await sees(agent.pane, 'e\u0301');
    expect(await boxRows(agent)).toEqual(['123456789', '中👩‍👩‍👧e\u0301']);
    expect((await agent.pane.view()).cursor.x).toBe(2 + 5);
    await agent.press('Left', 'BSpace');
    await agent.holds('123456789中👩‍👩‍▏e\u0301');
  });
});

describe('keys', () => {
  const WRAPPED = '0123456789abcdefgh\nnext';
  // A box of ten columns: rows are 0123456789, abcdefgh, next.
  const filled = async (...args: string[]): Promise<FakePane> => {
    const agent = await box(args, { width: 12 });
    await agent.paste(WRAPPED);
    await agent.press('C-a', 'Left', 'Left');
    await agent.holds('0123456789abcdefg▏h\nnext');
    return agent;
  };

  test.each<[string[], string, string]>([
    [[], 'C-a', '▏0123456789abcdefgh\nnext'],
    [['--home', 'row'], 'C-a', '0123456789▏abcdefgh\nnext'],
    [['--home', 'row'], 'Home', '0123456789▏abcdefgh\nnext'],
    [[], 'C-e', '0123456789abcdefgh▏\nnext'],
    [[], 'C-u', '▏h\nnext'],
    [['--kill', 'row'], 'C-u', '0123456789▏h\nnext'],
    [['--kill', 'row'], 'C-k', '0123456789abcdefg▏\nnext'],
  ])('%s %s', async (args, key, after) => {
    const agent = await filled(...args);
    await agent.press(key);
    await agent.holds(after);
  });

  test('end and kill of a wrapped row stop at its edge', async () => {
    const agent = await filled('--end', 'row', '--kill', 'row');
    await agent.press('C-a', 'End');
    await agent.holds('0123456789▏abcdefgh\nnext');
    await agent.press('C-a', 'C-k');
    await agent.holds('▏abcdefgh\nnext');
  });

  test('joining lines can be had or not', async () => {
    const joins = await box();
    const parts = await box(['--kill-joins', 'no', '--backspace-joins', 'no']);
    for (const [agent, after] of [
      [joins, 'a▏b'],
      [parts, 'a▏\nb'],
    ] as const) {
      await agent.paste('a\nb');
      await agent.press('C-a', 'Left', 'C-k');
      await agent.holds(after);
      await agent.press('C-u', 'C-u', 'C-e', 'C-u');
    }
    await parts.press('C-e', 'Right', 'BSpace');
    await parts.holds('\n▏b');
  });

  test('letters: control keys insert their letters', async () => {
    const agent = await fakePane(tmux, 'ink');
    await agent.type('x');
    await agent.press('C-a', 'C-k', 'C-u', 'Home', 'C-j', 'C-d');
    await agent.holds('xaku\nd▏');
  });

  test('C-c: three manners', async () => {
    const clears = await box(['--ctrl-c', 'clear']);
    const empty = await box(['--ctrl-c', 'exit-empty']);
    const twice = await box();
    for (const agent of [clears, empty, twice]) {
      await agent.type('draft');
      await agent.press('C-c');
      await agent.holds('▏');
    }
    for (const agent of [clears, empty, twice]) await agent.press('C-c');
    await Promise.all([ends(empty), ends(twice)]);
    await clears.press('C-c', 'x');
    await clears.holds('x▏');
  });

  test('tab submits where it is told to, and only there', async () => {
    const tab = await box(['--submit-tab', '--busy', '1000']);
    const none = await box();
    for (const agent of [tab, none]) {
      await agent.type('one');
      await agent.press('Tab');
      await agent.type('two');
      await agent.press('Tab');
    }
    await until(() => tab.submissions().length === 2, 'both');
    await sees(tab.pane, 'queued: 1');
    await none.holds('onetwo▏');
  });

  test('every key is logged in its order', async () => {
    const agent = await box(['--log-keys', '--slow', '2']);
    await agent.type('ab\x1b[D');
    await agent.paste('p\nq');
    await agent.press('C-x', 'M-b', 'Enter', 'c', 'Escape');
    await until(() => agent.events().some(({ name }) => name === 'escape'), 'the last key');
    const keys = agent.events().filter(({ ev }) => ev === 'key');
    expect(keys.map(({ name, text }) => [name, text].filter(Boolean).join(' '))).toEqual([
      'ab',
      'left',
      'paste p\nq',
      'C-x',
      'M-b',
      'enter',
      'c',
      'escape',
    ]);
    await agent.holds('c▏');
    expect(agent.submissions()).toEqual(['ap\nqb']);
  });
});

describe('the screen', () => {
  test('typed text is shown late, a paste at once, in their order', async () => {
    const agent = await box(['--slow', '80']);
    await agent.type('0123456789');
    await agent.paste('P');
    const started = Date.now();
    await sees(agent.pane, '0');
    expect(await agent.screen().then((rows) => rows.join())).not.toContain('9');
    await agent.holds('0123456789P▏');
    expect(Date.now() - started).toBeGreaterThan(500);
  });

  test('a slow painter shows nothing before its time', async () => {
    const agent = await box(['--paint-every', '1500']);
    await agent.type('late');
    await agent.holds('late▏');
    expect(await boxRows(agent)).toEqual(['']);
    await sees(agent.pane, 'late');
  });

  test('a box of few rows scrolls with its caret', async () => {
    const agent = await box(['--box-rows', '2']);
    await agent.paste('1\n2\n3');
    await sees(agent.pane, '3');
    expect(await boxRows(agent)).toEqual(['2', '3']);
  });

  test('any box has a dialog; the draft waits behind it', async () => {
    const agent = await box();
    await agent.type('draft');
    await agent.press('Left');
    await agent.holds('draf▏t');
    for (const [key, answer] of [
      ['Enter', 'approve'],
      ['Escape', 'deny'],
    ] as const) {
      process.kill(agent.pid(), 'SIGUSR1');
      await sees(agent.pane, 'Allow this command?');
      expect(await agent.screen().then((rows) => rows.join())).not.toContain('draft');
      await agent.press(key);
      await until(() => agent.count(answer), answer);
      await sees(agent.pane, '> draft');
    }
    await agent.holds('draf▏t');
    expect(agent.submissions()).toEqual([]);
  });
});

describe('the stash', () => {
  test('comes back after the next submit with caret and pastes', async () => {
    const agent = await box(['--stash', 'C-s', '--collapse', '5', '--busy', '200']);
    await agent.paste('a long paste');
    await agent.type('xy');
    await agent.press('Left', 'C-s');
    await sees(agent.pane, 'stashed');
    expect(await agent.draft()).toEqual({ text: '', caret: 0, stash: 'a long pastexy' });
    await agent.type('ours');
    await agent.press('Enter');
    await agent.holds('a long pastex▏y');
    await sees(agent.pane, '[Pasted text #1 +0 lines]xy');
    expect((await agent.screen()).join()).not.toContain('stashed');
    expect(agent.submissions()).toEqual(['ours']);
  });

  test('a blank box does nothing or pops; a draft pushes the older one out', async () => {
    const agent = await box(['--stash', 'C-s']);
    await agent.press('C-s');
    expect(await agent.draft()).toEqual({ text: '', caret: 0, stash: null });
    await agent.type('old');
    await agent.press('C-s', 'n', 'e', 'w', 'C-s');
    await until(async () => (await agent.draft()).stash === 'new', 'the newer one');
    await agent.press('C-s');
    await agent.holds('new▏');
  });
});
