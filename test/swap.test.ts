// Past a draft: the person's text is saved, our message goes in alone, and the text is back as it was.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MARKS } from '../src/composer/caret.js';
import { fill, LEFT, seenEmpty } from './support/fill.js';
import { until } from './support/tmux.js';
import { delivered, type TestAgent, World } from './support/world.js';

const editorProfile = (extra = '', top = ''): string => `
programs: []
protocols: [{ protocol: direct }, { protocol: editor }]
editor: { keys: [C-g], file: '*/fake-prompt-*.md', quietMs: 10, enterGapMs: 10, submittedMs: 10, restoredMs: 20${extra} }
pace: { stepMs: 2, enterMs: 50 }
${top}
`;

let world: World;
let ownEditor: string;
beforeAll(async () => {
  world = new World();
  world.profile('fake-editor', editorProfile());
  world.profile('fake-other-file', editorProfile().replace('fake-prompt', 'other'));
  world.profile('fake-harm', editorProfile(', harmsDialogs: true', 'cursorShownInBox: true'));
  world.profile('fake-label', editorProfile(", placeholder: '\\[Pasted text #\\d+'"));
  world.profile(
    'fake-label-retakes',
    editorProfile(", retakes: true, placeholder: '\\[Pasted text #\\d+[^\\]]*\\]'"),
  );
  world.profile('fake-behind', editorProfile(', opensBehindEnter: true'));
  world.profile(
    'fake-quick',
    editorProfile(', opensBehindEnter: true').replace('restoredMs: 20', 'restoredMs: 0'),
  );
  world.profile('fake-trims', editorProfile(', trims: blanks'));
  world.profile('fake-retakes', editorProfile(', retakes: true'));
  world.profile('fake-removes', editorProfile(', retakes: true, removesFile: true'));
  world.profile(
    'fake-paints',
    editorProfile(', retakes: true, seesMark: if_typed, shownMs: 1500').replace(
      'enterMs: 50',
      'enterMs: 50, echoMs: 400',
    ),
  );
  world.profile('fake-chord', editorProfile().replace('[C-g]', '[C-x, e]'));
  const slow = editorProfile(', seesMark: always, shownMs: 1500').replace(
    /(submitted|restored)Ms: \d+/g,
    '$1Ms: 260',
  );
  world.profile('fake-sees', slow);
  world.profile('fake-keeps', editorProfile(', ignoresEmpty: true'));
  await world.begin();
  ownEditor = path.join(world.folder, 'own-editor');
  fs.writeFileSync(ownEditor, '#!/bin/sh\nprintf "%s, edited" "$(cat "$1")" > "$1"\n', { mode: 0o700 });
});
afterAll(() => world.dispose());

const editorAgent = (args: string[] = [], agent = 'fake-editor', env = {}): Promise<TestAgent> =>
  world.agent('box', ['--editor', 'C-g', ...args], { agent, env });

const count = (agent: TestAgent, ev: string): number =>
  agent.events().filter((event) => event.ev === ev).length;

const past = (agent: TestAgent, text: string) => world.send(agent, text, { past_draft: 'now' });

// How a message that arrived beside a draft must have left things.
async function arrivedBeside(
  agent: TestAgent,
  message: Parameters<World['submitted']>[0],
  draft: unknown,
): Promise<void> {
  expect((await world.submitted(message)).receipt).toBe('submitted');
  expect(agent.submissions()).toEqual([delivered(message)]);
  expect(await agent.draft()).toEqual(draft);
}

describe('through the editor', () => {
  test('a message goes past a resting draft, which is back with its caret; the person is told', async () => {
    const agent = await editorAgent();
    const person = await world.person(agent);
    await person.type('half a thought');
    const before = await fill(agent, person, { text: 'half a thought', back: 3 }, 'typed');
    const message = await past(agent, 'hello');
    await arrivedBeside(agent, message, before);
    const { held_ms, ...detail } = await world.client.message(message.id);
    expect(detail).toMatchObject({ way: 'editor', draft: expect.any(String) });
    expect(held_ms).toBeGreaterThan(10);
    expect(held_ms).toBeLessThan(3000);
    await until(() => person.screen().includes('your draft is as it was'), 'the note in the status line');
    person.send('!');
    await until(async () => (await agent.draft()).text === 'half a thou!ght', 'a key at the caret');
    await until(() => !person.screen().includes('your draft is as it was'), 'the note to go away');
  });

  test.each([[[]], [['--no-rules']], [['--no-prompt']]])(
    'a draft with the caret in a blank first line, in a known box (%s)',
    async (args) => {
      const agent = await editorAgent(args);
      await seenEmpty(world, agent);
      const person = await world.person(agent);
      const before = await fill(agent, person, { text: '\nbelow', back: 6 });
      const message = await past(agent, 'hello');
      expect((await world.submitted(message)).receipt).toBe('submitted');
      expect(agent.submissions().slice(1)).toEqual([delivered(message)]);
      expect(await agent.draft()).toEqual(before);
    },
  );

  test('a draft with the very character that marks the caret', async () => {
    const agent = await editorAgent(['--box-rows', '3']);
    const person = await world.person(agent);
    const text = `one${MARKS[0]} two${MARKS[1]}`;
    const before = await fill(agent, person, { text, back: 2 });
    await arrivedBeside(agent, await past(agent, 'hello'), before);
    // Out of sight in a box of three rows: it cannot be told from ours, so the draft is left alone.
    person.send('\x05\na\nb\nc\nd\ne');
    const tall = await until(async () => {
      const now = await agent.draft();
      return now.text === `${text}\na\nb\nc\nd\ne` ? now : undefined;
    }, 'a tall draft');
    const second = await past(agent, 'again');
    await world.held(second, 'draft_unreadable');
    expect(await agent.draft()).toEqual(tall);
    await world.client.cancel(second.id);
  });

  test('an agent that cuts blanks from the end gives them all back', async () => {
    const agent = await editorAgent(['--editor-trims', 'blanks'], 'fake-trims');
    const person = await world.person(agent);
    const before = await fill(agent, person, { text: ' two\n\n words \n \n', back: 4 });
    await arrivedBeside(agent, await past(agent, 'hello'), before);
  });

  test('an agent that keeps its box when the file is empty', async () => {
    const agent = await editorAgent(['--editor-ignores-empty'], 'fake-keeps');
    const person = await world.person(agent);
    const before = await fill(agent, person, { text: 'one\ntwo', back: 5 });
    await arrivedBeside(agent, await past(agent, 'hello'), before);
    person.send(`${LEFT.repeat(9)}\x0b\x0b\x0b`);
    await until(async () => (await agent.draft()).text === '', 'an empty box');
    const second = await past(agent, 'again');
    expect((await world.submitted(second)).receipt).toBe('submitted');
    expect((await agent.draft()).text).toBe('');
  });

  test('a collapsed paste that is handed over as its label is left alone', async () => {
    const agent = await editorAgent(['--collapse', '10', '--editor-placeholder'], 'fake-label');
    const person = await world.person(agent);
    const pasted = 'many words of a long paste';
    const before = await fill(agent, person, { text: pasted, back: 0 });
    const message = await past(agent, 'hello');
    await world.held(message, 'draft_unreadable');
    expect(await agent.draft()).toEqual(before);
    person.send('\r');
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(agent.submissions()).toEqual([pasted, delivered(message)]);
  });

  test.each([
    ['behind it', 4, 'more'],
    ['before it', 10, 'many words of a long paste and more'],
  ])(
    'a collapsed paste keeps its caret %s where the agent moves it to the end',
    async (_where, back, behind) => {
      const args = ['--collapse', '10', '--editor-placeholder', '--editor-moves-caret'];
      const agent = await editorAgent(args, 'fake-label-retakes');
      const person = await world.person(agent);
      person.send('see \x1b[200~many words of a long paste\x1b[201~ and more');
      const text = 'see many words of a long paste and more';
      const before = await fill(agent, person, { text, back }, 'typed');
      expect(text.slice(before.caret)).toBe(behind);
      const message = await past(agent, 'hello');
      await world.held(message, 'draft_unreadable');
      expect(await agent.draft()).toEqual(before);
    },
  );

  test.each([
    ['an agent', []],
    ['one that empties its box late, with what came meanwhile', ['--submit-clears', '600']],
  ])(
    'Enter pressed by the person while their keys wait submits their draft alone, after ours: %s',
    async (_what, args) => {
      const agent = await editorAgent(['--editor-delay', '150', ...args]);
      const person = await world.person(agent);
      await fill(agent, person, { text: 'my own\nprompt', back: 2 });
      const message = await past(agent, 'hello');
      await until(() => count(agent, 'editor') > 0, 'the hand-over');
      person.send('!\r');
      person.send('next');
      await world.submitted(message);
      await until(() => agent.submissions().length === 2, 'both submissions');
      expect(agent.submissions()).toEqual([delivered(message), 'my own\nprom!pt']);
      await until(async () => (await agent.draft()).text === 'next', 'what was typed after it');
    },
  );

  test('an agent that is slow to come back from its editor, and throws away what came meanwhile, loses no key', async () => {
    const agent = await editorAgent([
      '--editor-back',
      '150',
      '--editor-flushes',
      '15',
      '--editor-delay',
      '100',
    ]);
    const person = await world.person(agent);
    await fill(agent, person, { text: 'it goes', back: 0 });
    const message = await past(agent, 'hello');
    await until(() => count(agent, 'editor') > 0, 'the hand-over');
    person.send(' on');
    await world.submitted(message);
    await until(async () => (await agent.draft()).text === 'it goes on', 'every key');
    expect(agent.submissions()).toEqual([delivered(message)]);
  });

  test('a Backspace that waited is not taken by a terminal that the agent does not have back yet', async () => {
    const agent = await editorAgent(['--editor-back', '1500'], 'fake-quick');
    const person = await world.person(agent);
    await fill(agent, person, { text: 'it goesx', back: 0 });
    const message = await past(agent, 'hello');
    await until(() => count(agent, 'editor') > 0, 'the hand-over');
    person.send('\x7f on');
    await world.submitted(message);
    await until(async () => (await agent.draft()).text === 'it goes on', 'every key');
    expect(agent.submissions()).toEqual([delivered(message)]);
  });

  test('an agent that opens its editor on what it has painted loses no key', async () => {
    const agent = await editorAgent(['--editor-painted', '--paint-every', '240'], 'fake-sees');
    const person = await world.person(agent);
    person.send('typed a moment ago');
    const message = await past(agent, 'hello');
    expect((await world.submitted(message)).receipt).toBe('submitted');
    await until(async () => (await agent.draft()).text === 'typed a moment ago', 'every key');
    expect(agent.submissions()).toEqual([delivered(message)]);
  });

  test.each([
    ['on what Enter left', [], 3],
    ['on our text, in an agent that empties its box late', ['--submit-clears', '300'], 4],
  ])('an agent whose editor is asked for right behind Enter: %s', async (_what, args, calls) => {
    const agent = await editorAgent(args, 'fake-behind');
    await seenEmpty(world, agent);
    const earlier = count(agent, 'editor');
    const person = await world.person(agent);
    const before = await fill(agent, person, { text: 'half\na thought', back: 3 });
    const message = await past(agent, 'hello');
    await world.submitted(message);
    expect(agent.submissions().slice(1)).toEqual([delivered(message)]);
    expect(await agent.draft()).toEqual(before);
    // Read and replaced, put back, read again.
    expect(count(agent, 'editor') - earlier).toBe(calls);
  });

  test.each([
    ['past a draft', 'a thought'],
    ['into an empty box', ''],
  ])('an agent that empties its box late takes a message once: %s', async (_where, text) => {
    const agent = await editorAgent(['--submit-clears', '1500']);
    await seenEmpty(world, agent);
    const person = await world.person(agent);
    const before = text === '' ? await agent.draft() : await fill(agent, person, { text, back: 3 });
    const message = await past(agent, 'hello');
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(agent.submissions().slice(1)).toEqual([delivered(message)]);
    await until(async () => (await agent.draft()).text === before.text, 'the draft');
  });

  test('an agent that takes a message and keeps it in its box gets it once', async () => {
    const agent = await editorAgent(['--submit-clears', '100000']);
    const person = await world.person(agent);
    await fill(agent, person, { text: 'a thought', back: 0 });
    const message = await past(agent, 'hello');
    await world.submitted(message);
    expect(agent.submissions()).toEqual([delivered(message)]);
    const { attempts, events } = await world.client.message(message.id);
    expect(attempts).toBe(1);
    expect(events.at(-1)).toMatchObject({ kind: 'submitted', data: { evidence: 'shown_by_agent' } });
  });

  test('two persons, one of them in a session group, lose no key', async () => {
    const agent = await editorAgent(['--editor-delay', '100']);
    const group = `group-${agent.session.name}`;
    world.tmux('new-session', '-d', '-t', agent.session.tmux_session, '-s', group);
    const here = await world.person(agent);
    const there = await world.person({
      ...agent,
      session: { ...agent.session, tmux_session: group },
    });
    await fill(agent, here, { text: 'draft', back: 0 });
    const message = await past(agent, 'hello');
    await until(() => count(agent, 'editor') > 0, 'the hand-over');
    for (const n of '0123456789') {
      here.send(n);
      there.send('abcdefghij'[Number(n)] as string);
    }
    await world.submitted(message);
    await until(async () => (await agent.draft()).text.length === 25, 'all keys');
    const { text } = await agent.draft();
    expect(text.replace(/\d/g, '')).toBe('draftabcdefghij');
    expect(text.replace(/[a-z]/g, '')).toBe('0123456789');
    expect(agent.submissions()).toEqual([delivered(message)]);
  });
});

describe('the editor key', () => {
  test('while the person’s own editor is open, no key of ours goes to it', async () => {
    const got = path.join(world.folder, 'typed-there');
    const editor = path.join(world.folder, 'staying-editor');
    const script = `stty -icanon -echo; : >'${got}.open'; head -c 3 >'${got}'; printf ', edited' >>"$1"`;
    fs.writeFileSync(editor, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const agent = await editorAgent([], 'fake-editor', { EDITOR: editor });
    const person = await world.person(agent);
    await fill(agent, person, { text: 'mine', back: 0 });
    person.send('\x07');
    await until(() => fs.existsSync(`${got}.open`), 'the own editor');
    const message = await past(agent, 'hello');
    await world.held(message, 'other_program');
    person.send('ab');
    await world.kill9();
    await world.startDaemon();
    person.send('c');
    await arrivedBeside(agent, message, { text: 'mine, edited', caret: 12, stash: null });
    expect(fs.readFileSync(got, 'utf8')).toBe('abc');
  });

  test('is the person’s when no swap asks', async () => {
    const agent = await editorAgent([], 'fake-editor', { EDITOR: ownEditor });
    const person = await world.person(agent);
    await fill(agent, person, { text: 'mine', back: 0 });
    person.send('\x07');
    await until(async () => (await agent.draft()).text === 'mine, edited', 'the own editor');
    const message = await past(agent, 'hello');
    await arrivedBeside(agent, message, { text: 'mine, edited', caret: 12, stash: null });
    person.send('\x07');
    await until(async () => (await agent.draft()).text === 'mine, edited, edited', 'the own editor again');
  });

  test.each([
    ['the script takes it out', 'fake-editor', []],
    ['the script must not', 'fake-label', ['--editor-placeholder']],
  ])(
    'is let go when an attempt is given up: nothing of ours stays in the draft; %s',
    async (_what, profile, more) => {
      const agent = await editorAgent(['--editor-delay', '400', '--log-keys', ...more], profile);
      const person = await world.person(agent);
      const before = await fill(agent, person, { text: 'half a thought', back: 3 });
      const message = await past(agent, 'hello');
      await until(() => agent.events().some(({ ev, name }) => ev === 'key' && name === 'C-g'), 'the key');
      // Whatever is cancelled, what is under way is let go.
      const behind = await past(agent, 'behind it');
      await world.client.cancel(behind.id);
      const isCancelled = (): Promise<boolean> =>
        world.client.cancel(message.id).then(
          () => true,
          () => false,
        );
      await until(isCancelled, 'the message to be cancelled');
      await until(() => count(agent, 'edited') === 1, 'the call');
      await until(async () => (await agent.draft()).text === before.text, 'the draft without the mark', 5000);
      expect(agent.submissions()).toEqual([]);
    },
  );

  test('with a file of another name calls the own editor, once; the message waits and says why', async () => {
    const agent = await editorAgent([], 'fake-other-file', { EDITOR: 'true' });
    const person = await world.person(agent);
    const before = await fill(agent, person, { text: 'mine', back: 2 });
    const message = await past(agent, 'hello');
    const { held_detail } = await world.held(message, 'draft_unreadable');
    expect(held_detail).toMatch(/called on \/.*fake-prompt-.* which `editor.file: \*\/other-\*.md`/);
    expect(agent.events().find(({ ev }) => ev === 'edited')).toMatchObject({ changed: false });
    person.send('!');
    await until(async () => (await agent.draft()).text === 'mi!ne', 'the key');
    person.send('\x7f');
    await until(async () => (await agent.draft()).text === 'mine', 'the key back');
    await until(async () => !(await agent.draft()).text.includes(MARKS[0]), 'the mark to go');
    expect(await agent.draft()).toEqual(before);
    expect(agent.submissions()).toEqual([]);
    expect(count(agent, 'editor')).toBe(1);
  });

  test('pressed for a delivery that is let go of at that moment: it never opens the own editor', async () => {
    const agent = await editorAgent(['--editor-delay', '400', '--log-keys'], 'fake-editor', {
      EDITOR: ownEditor,
    });
    const person = await world.person(agent);
    const before = await fill(agent, person, { text: 'mine', back: 2 });
    const keys = (): number => agent.events().filter(({ ev, name }) => ev === 'key' && name === 'C-g').length;
    for (let round = 0; round < 3; round++) {
      const pressed = keys();
      const message = await past(agent, `round ${round}`);
      await until(() => keys() > pressed, 'the editor key');
      // Whatever is cancelled, the attempt under way is looked at anew.
      const other = await past(agent, 'not needed');
      await world.client.cancel(other.id);
      await world.submitted(message);
    }
    await until(async () => (await agent.draft()).text === before.text, 'the draft');
    expect(agent.submissions().filter((text) => text.includes('edited'))).toEqual([]);
  });

  test.each([
    ['fake-editor', []],
    ['fake-retakes', ['--editor-moves-caret']],
  ])('that calls the editor after its time is over costs no character (%s)', async (profile, args) => {
    const agent = await editorAgent(['--editor-delay', '1300', ...args], profile);
    const person = await world.person(agent);
    const { text } = await fill(agent, person, { text: 'abcdefghij', back: 3 });
    const message = await past(agent, 'hello');
    await world.held(message, 'not_at_prompt');
    await until(() => count(agent, 'edited') > 0, 'the late call');
    await until(async () => (await agent.draft()).text === text, 'the draft as it was');
    await world.client.cancel(message.id);
    await until(() => count(agent, 'edited') === count(agent, 'editor'), 'the last call to be over');
    expect((await agent.draft()).text).toBe(text);
  });
});

test('a mark that shows late is taken away, where the cursor tells that no dialog has the keys', async () => {
  const agent = await world.agent('box', ['--paint-every', '2500'], { agent: 'fake-harm' });
  const person = await world.person(agent);
  await person.type('slow to show');
  await until(async () => (await agent.draft()).text === 'slow to show', 'the draft');
  const message = await past(agent, 'hello');
  await world.held(message, 'not_at_prompt');
  expect((await agent.draft()).text).toBe('slow to show');
  await world.client.cancel(message.id);
});

describe('an open dialog', () => {
  const openDialog = async (agent: TestAgent): Promise<void> => {
    process.kill(agent.pid(), 'SIGUSR1');
    await until(() => count(agent, 'dialog') === 1, 'the dialog');
  };

  test.each<[string, string, string[]]>([
    ['that eats the key', 'fake-editor', []],
    ['that the key would cancel', 'fake-harm', ['--editor-cancels-dialog']],
  ])('%s is not answered; the message goes after it', async (_what, profile, args) => {
    const agent = await editorAgent(args, profile);
    const person = await world.person(agent);
    const before = await fill(agent, person, { text: 'while you\nwork', back: 3 });
    await openDialog(agent);
    const message = await past(agent, 'hello');
    await world.held(message, 'not_at_prompt');
    expect([count(agent, 'approve'), count(agent, 'deny')]).toEqual([0, 0]);
    expect(await agent.draft()).toEqual(before);
    await person.press('Escape');
    await arrivedBeside(agent, message, before);
    expect([count(agent, 'approve'), count(agent, 'deny')]).toEqual([0, 1]);
  });

  test('over an empty box, with nobody there, is not answered either', async () => {
    for (const [profile, args] of [
      ['fake-editor', []],
      ['fake-harm', ['--editor-cancels-dialog']],
    ] as [string, string[]][]) {
      const agent = await editorAgent(args, profile);
      await openDialog(agent);
      const message = await world.send(agent, 'hello');
      await world.held(message, 'not_at_prompt');
      world.tmux('send-keys', '-t', agent.session.pane, 'Escape');
      expect((await world.submitted(message)).receipt).toBe('submitted');
      expect(agent.submissions()).toEqual([delivered(message)]);
      expect([count(agent, 'approve'), count(agent, 'deny')]).toEqual([0, 1]);
    }
  });
});

test('a daemon that dies with nobody to restart it: the watchdog starts one that ends what was begun', async () => {
  const agent = await editorAgent(['--editor-delay', '200']);
  const person = await world.person(agent);
  await fill(agent, person, { text: 'before\nthe fall', back: 4 });
  const message = await past(agent, 'hello');
  await until(() => count(agent, 'editor') > 0, 'the hand-over');
  await world.kill9();
  const died = Date.now();
  person.send('abc');
  person.send(`${LEFT}d`);
  await until(() => world.client.status().catch(() => undefined), 'a daemon', 15_000);
  expect(Date.now() - died).toBeLessThan(8000);
  // From now on it is the one that the world ends.
  expect(await world.startDaemon()).toMatch(/^running/);
  expect((await world.submitted(message)).receipt).toBe('submitted');
  expect(agent.submissions()).toEqual([delivered(message)]);
  await until(async () => (await agent.draft()).text === 'before\nthe abdcfall', 'draft and keys');
  expect((await agent.draft()).caret).toBe('before\nthe abd'.length);
});

// The daemon dies after it has pressed the editor's key and before it has read what the agent hands over.
async function killUnread(agent: TestAgent): Promise<void> {
  const before = count(agent, 'editor');
  await until(() => agent.events().some(({ ev, name }) => ev === 'key' && name === 'C-g'), 'the editor key');
  process.kill(world.pid, 'SIGSTOP');
  await until(() => count(agent, 'editor') > before, 'the hand-over');
  await world.kill9();
  await world.startDaemon();
}

test('a daemon that dies over a folded paste that it cannot read: not a character of it is taken', async () => {
  const args = ['--collapse', '200', '--editor-placeholder', '--paint-every', '240'];
  const agent = await editorAgent([...args, '--editor-delay', '300', '--log-keys'], 'fake-label');
  const person = await world.person(agent);
  person.send(`\x1b[200~${'folded away '.repeat(30)}\x1b[201~ and more`);
  await until(async () => (await agent.draft()).text.endsWith('and more'), 'the draft');
  const before = await agent.draft();
  const message = await past(agent, 'hello');
  await killUnread(agent);
  await world.held(message, 'draft_unreadable');
  expect(await agent.draft()).toEqual(before);
  expect(agent.submissions()).toEqual([]);
});

test('a daemon that dies after Enter in an empty box: what the person types since does not hide that it was sent', async () => {
  const agent = await editorAgent(['--log-keys']);
  const person = await world.person(agent);
  await seenEmpty(world, agent);
  const message = await past(agent, 'hello');
  await until(() => count(agent, 'submit') > 1, 'the submit');
  await world.kill9();
  person.send('typed since');
  await until(async () => (await agent.draft()).text === 'typed since', 'the keys to be let through', 15_000);
  await world.startDaemon();
  expect((await world.submitted(message)).receipt).toBe('submitted');
  expect(agent.submissions().slice(1)).toEqual([delivered(message)]);
  expect((await agent.draft()).text).toBe('typed since');
});

test('a daemon that dies after Enter at an agent that takes a message and keeps it in its box: it gets it once', async () => {
  const agent = await editorAgent(['--submit-clears', '100000', '--editor-delay', '200']);
  const person = await world.person(agent);
  const before = await fill(agent, person, { text: 'a thought', back: 2 });
  const message = await past(agent, 'hello');
  await until(() => count(agent, 'submit') > 0, 'the submit');
  await world.kill9();
  await world.startDaemon();
  await world.submitted(message);
  expect(agent.submissions()).toEqual([delivered(message)]);
  const { events } = await world.client.message(message.id);
  expect(events.at(-1)).toMatchObject({ kind: 'submitted', data: { evidence: 'shown_by_agent' } });
  await until(async () => (await agent.draft()).text === before.text, 'the draft');
});

test.each([700, 2500])(
  'an editor key heard by half for %i ms: its letter is taken out of the box',
  async (deafMs) => {
    const args = ['--editor', 'C-x e', '--editor-deaf', `${deafMs}`];
    const agent = await world.agent('box', args, { agent: 'fake-chord' });
    const person = await world.person(agent);
    const before = await fill(agent, person, { text: 'before the letter', back: 3 });
    const message = await past(agent, 'hello');
    await arrivedBeside(agent, message, before);
  },
);

test('an agent that reads its file late: keys are let go when it has removed it', async () => {
  const agent = await editorAgent(['--editor-reads', '400'], 'fake-removes');
  const person = await world.person(agent);
  await fill(agent, person, { text: 'half a line', back: 2 });
  const message = await past(agent, 'hello');
  await until(() => count(agent, 'editor') > 0, 'the editor');
  await person.type('typed meanwhile');
  expect((await world.submitted(message)).receipt).toBe('submitted');
  expect(agent.submissions()).toEqual([delivered(message)]);
  expect(await agent.draft()).toMatchObject({ text: 'half a lityped meanwhilene', caret: 24 });
});

test('an agent that opens its editor on what it has painted: the draft is read again once it shows', async () => {
  const agent = await editorAgent(['--editor-painted', '--paint-every', '500'], 'fake-paints');
  const person = await world.person(agent);
  const before = await fill(agent, person, { text: 'slow to show', back: 4 });
  const message = await past(agent, 'hello');
  await arrivedBeside(agent, message, before);
});

test.each(['fake-retakes', 'fake-label-retakes'])(
  'a daemon that dies over a draft it has not read yet: the caret comes back where the agent moved it away (%s)',
  async (profile) => {
    const args = ['--editor-delay', '200', '--editor-moves-caret', '--editor-flushes', '15', '--log-keys'];
    const agent = await editorAgent(args, profile);
    const person = await world.person(agent);
    const before = await fill(agent, person, { text: 'never read', back: 4 });
    const message = await past(agent, 'hello');
    await killUnread(agent);
    await arrivedBeside(agent, message, before);
  },
);
