// The fake agents' external editor: the draft goes out as a file and comes back the way real agents do it.
import fs from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { editorScript, endFakes, type FakePane, fakePane } from './support/fake-pane.js';
import { sees, TestTmux, until } from './support/tmux.js';
import { World } from './support/world.js';

let tmux: TestTmux;
const EDITORS = {
  nothing: 'exit 0',
  replace: 'printf "new text\\n\\n" > "$1"',
  empty: ': > "$1"',
  fails: 'echo broken > "$1"; exit 1',
  // Lasts until a file appears beside it, in place of a person who edits.
  waits: 'echo editing; while [ ! -e "$0.go" ]; do sleep 0.02; done; printf "%s|back" "$(cat "$1")" > "$1"',
};
const editors = {} as Record<keyof typeof EDITORS, string>;
beforeAll(() => {
  tmux = new TestTmux();
  for (const [name, script] of Object.entries(EDITORS))
    editors[name as keyof typeof EDITORS] = editorScript(tmux, name, script);
});
afterAll(() => endFakes(tmux));

const box = (editor: keyof typeof EDITORS, ...args: string[]): Promise<FakePane> =>
  fakePane(tmux, 'box', ['--editor', 'C-g', ...args], { env: { EDITOR: editors[editor], VISUAL: '' } });

const edited = (agent: FakePane, times = 1): Promise<unknown> =>
  until(() => agent.count('edited') === times, 'the editor to end');

// A draft of two lines with a collapsed paste, and the caret inside.
async function draft(agent: FakePane): Promise<void> {
  await agent.type('one');
  await agent.press('C-j');
  await agent.paste('a longer paste');
  await agent.type('xy');
  await agent.press('Left');
  await agent.holds('one\na longer pastex▏y');
}

const handed = (agent: FakePane): string | undefined =>
  agent.events().findLast(({ ev }) => ev === 'editor')?.text;

test('gets the exact draft; an unchanged file changes nothing', async () => {
  const agent = await box('nothing', '--collapse', '5');
  await draft(agent);
  await sees(agent.pane, '[Pasted text #1 +0 lines]xy');
  const before = await agent.screen();
  await agent.press('C-g');
  await edited(agent);
  expect(handed(agent)).toBe('one\na longer pastexy');
  await agent.holds('one\na longer pastex▏y');
  await sees(agent.pane, '[Pasted text #1 +0 lines]xy');
  expect(await agent.screen()).toEqual(before);
  const { file = '' } = agent.events().find(({ ev }) => ev === 'editor') ?? {};
  expect(file).toMatch(/\/fake-prompt-\w+\.md$/);
  expect(fs.existsSync(file)).toBe(false);
});

test.each<[keyof typeof EDITORS, string[], string]>([
  ['nothing', ['--editor-moves-caret'], 'one\na longer pastexy▏'],
  ['replace', [], 'new text\n▏'],
  ['replace', ['--editor-trims', 'newlines'], 'new text▏'],
  ['replace', ['--editor-trims', 'blanks'], 'new text▏'],
  ['empty', [], '▏'],
  ['empty', ['--editor-ignores-empty'], 'one\na longer pastex▏y'],
  ['fails', [], 'one\na longer pastex▏y'],
  ['replace', ['--editor-delay', '100', '--alt'], 'new text\n▏'],
])('an editor that does: %s %s', async (editor, args, after) => {
  const agent = await box(editor, '--collapse', '5', ...args);
  await draft(agent);
  await agent.press('C-g');
  await edited(agent);
  await agent.holds(after);
});

test('a label is all that some hand over, and it comes back as plain text', async () => {
  const agent = await box('waits', '--collapse', '5', '--editor-placeholder');
  fs.writeFileSync(`${editors.waits}.go`, '');
  await draft(agent);
  await agent.press('C-g');
  await edited(agent);
  fs.rmSync(`${editors.waits}.go`);
  expect(handed(agent)).toBe('one\n[Pasted text #1 +0 lines]xy');
  await agent.holds('one\n[Pasted text #1 +0 lines]xy|back▏');
});

test('has the screen and the keyboard to itself; what is typed meanwhile comes after it', async () => {
  const agent = await box('waits');
  await agent.type('first');
  await agent.press('Enter');
  await agent.type('draft');
  await agent.press('C-g');
  await sees(agent.pane, 'editing');
  expect((await agent.screen()).join()).not.toContain('draft');
  await agent.type('xyz');
  fs.writeFileSync(`${editors.waits}.go`, '');
  await edited(agent);
  fs.rmSync(`${editors.waits}.go`);
  await agent.holds('draft|backxyz▏');
  await sees(agent.pane, '> draft|backxyz');
  const screen = (await agent.screen()).join('\n');
  expect(screen).toMatch(/you: first\nbot: ok 5 chars\n─/);
  expect(screen).not.toContain('editing');
});

test('VISUAL goes before EDITOR', async () => {
  const env = { VISUAL: editors.replace, EDITOR: editors.nothing };
  const agent = await fakePane(tmux, 'box', ['--editor', 'C-g'], { env });
  await agent.press('C-g');
  await agent.holds('new text\n▏');
});

test('C-c during the editor ends the agent too', async () => {
  const agent = await box('waits');
  await agent.press('C-g');
  await sees(agent.pane, 'editing');
  await agent.press('C-c');
  await until(() => agent.count('exit'), 'the end');
});

test('two keys in turn; each alone keeps its meaning', async () => {
  const agent = await box('replace', '--editor', 'C-x e', '--editor-trims', 'newlines');
  await agent.type('e');
  await agent.press('C-x', 'a', 'C-x', 'C-x');
  await agent.type('efg');
  await edited(agent);
  expect(handed(agent)).toBe('ea');
  await agent.holds('new textfg▏');
});

test('what follows the key waits for the editor, delayed or not', async () => {
  for (const delay of ['0', '80']) {
    const agent = await box('nothing', '--editor-delay', delay);
    await agent.type('ab\x07cd');
    await edited(agent);
    expect(handed(agent)).toBe('ab');
    await agent.holds('abcd▏');
  }
});

test('in a dialog the key does nothing, or denies', async () => {
  for (const [args, denied] of [
    [[], 0],
    [['--editor-cancels-dialog'], 1],
  ] as [string[], number][]) {
    const agent = await box('replace', ...args);
    await agent.type('draft');
    await agent.holds('draft▏');
    process.kill(agent.pid(), 'SIGUSR1');
    await sees(agent.pane, 'Allow this command?');
    await agent.press('C-g');
    if (!denied) await agent.press('Enter');
    await sees(agent.pane, denied ? 'denied' : 'approved');
    await agent.holds('draft▏');
    expect([agent.count('editor'), agent.count('deny')]).toEqual([0, denied]);
  }
});

test('an agent that is a session tells its draft and its editor too', async () => {
  const world = await World.start();
  try {
    const env = { EDITOR: editors.nothing, VISUAL: '' };
    const agent = await world.agent('box', ['--editor', 'C-g'], { env });
    world.tmux('send-keys', '-t', agent.session.pane, 'a', 'b', 'Left', 'C-g');
    await until(() => agent.events().some(({ ev, text }) => ev === 'edited' && text === 'ab'), 'the editor');
    expect(await agent.draft()).toEqual({ text: 'ab', caret: 1, stash: null });
  } finally {
    await world.dispose();
  }
});
