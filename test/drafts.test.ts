// Drafts that were taken from an input box: listed, shown, given back without Enter, copied; and who may say past_draft.
import fs from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type {
  Draft,
  FeedEvent,
  Message,
  MessageWithEvents,
  RestoredDraft,
  Session,
} from '../src/api/types.js';
import { insertDraft, type NewDraft } from '../src/store/index.js';
import { ROOT, until } from './support/tmux.js';
import { delivered, type TestAgent, World } from './support/world.js';

const EDITOR_PROFILE = `
programs: []
protocols: [{ protocol: direct }, { protocol: editor }]
editor: { keys: [C-g], file: '*/fake-prompt-*.md', quietMs: 10, enterGapMs: 10, submittedMs: 10, restoredMs: 20 }
pace: { stepMs: 2, enterMs: 50 }
`;

// Its mark is waited for before the key is pressed: a while, in an agent that paints late.
const LATE_PROFILE = EDITOR_PROFILE.replace(
  'submittedMs: 10, restoredMs: 20',
  'submittedMs: 260, restoredMs: 260, seesMark: always, shownMs: 1500',
);

let world: World;
let agent: TestAgent;
beforeAll(async () => {
  world = new World();
  world.profile('fake-editor', EDITOR_PROFILE);
  world.profile('fake-late', LATE_PROFILE);
  await world.begin();
  agent = await world.agent('box', [], { name: 'api' });
  await world.client.update('api', { past_draft: 'never' });
  await world.submitted(await world.send(agent, 'so that its box is known'));
});
afterAll(() => world.dispose());

let count = 0;
// As a delivery leaves it in the journal.
function saved(more: Partial<NewDraft> = {}): string {
  const id = `d${String(++count).padStart(3, '0')}${'0'.repeat(8)}`;
  const { sql, values } = insertDraft({
    id,
    session_id: agent.session.id,
    session_name: 'api',
    message_id: null,
    attempt: 0,
    protocol: 'editor',
    text: 'half a thought',
    caret: null,
    exact: 1,
    state: 'differs',
    proof: null,
    found: null,
    held_ms: null,
    created_at: Date.now(),
    updated_at: Date.now(),
    ...more,
  });
  execute(sql, ...values);
  return id;
}
function execute(sql: string, ...values: readonly (string | number | null)[]): void {
  const database = new Sqlite(path.join(world.home, 'suremail.db'), { timeout: 10_000 });
  database.prepare(sql).run(...values);
  database.close();
}
beforeEach(() => execute('DELETE FROM drafts'));

const press = (...keys: string[]): string => world.tmux('send-keys', '-t', agent.session.pane, ...keys);
const screen = (): string => world.tmux('capture-pane', '-p', '-t', agent.session.pane);
const last = (): string | undefined => agent.submissions().at(-1);
async function ok(...args: string[]): Promise<string> {
  const ran = await world.sm(args);
  expect([args.join(' '), ran.code, ran.stderr]).toEqual([args.join(' '), 0, '']);
  return ran.stdout;
}
const json = async <T>(command: string, ...args: string[]): Promise<T> =>
  JSON.parse(await ok(command, '--json', ...args)) as T;
const states = async (): Promise<Record<string, string>> =>
  Object.fromEntries((await world.client.drafts({ state: 'all' })).map(({ id, state }) => [id, state]));

describe('sm drafts', () => {
  test('lists what is not known to be back; --all the rest; --session one session', async () => {
    expect(await ok('drafts')).toContain('no draft is missing');
    const open = saved({ text: 'the one\nthat is missing' });
    const back = saved({ state: 'restored', proof: 'read' });
    const other = saved({ session_id: 'ffffffff', session_name: 'gone', state: 'saved' });
    expect((await json<Draft[]>('drafts')).map(({ id }) => id)).toEqual([open, other]);
    expect((await json<Draft[]>('drafts', '--all')).map(({ id }) => id)).toEqual([open, back, other]);
    expect((await json<Draft[]>('drafts', '--session', 'api')).map(({ id }) => id)).toEqual([open]);
    const table = await ok('drafts', '--all');
    for (const part of [open, back, 'gone', 'saved', 'the one ⏎ that is missing'])
      expect(table).toContain(part);
    expect((await world.sm(['drafts', '--session', 'apo'])).stderr).toMatch(/did you mean "api"/);
  });

  test('shows one, by the beginning of its id', async () => {
    const id = saved({
      text: 'one\n\x1b[31mtwo',
      caret: 3,
      state: 'differs',
      found: 'what is there',
      held_ms: 420,
    });
    const text = await ok('drafts', 'show', id.slice(0, 6));
    for (const part of [id, 'differs', '│ one', '␛[31mtwo', 'what is there', '420 ms', 'behind 3 of 12'])
      expect(text).toContain(part);
    expect(await json<Draft>('drafts', 'show', id)).toMatchObject({ id, text: 'one\n\x1b[31mtwo', caret: 3 });
  });

  test.each([
    [['drafts', 'show'], 2, 'draft is missing: sm drafts show ID'],
    [['drafts', 'keep', 'd00'], 2, 'verb "keep": must be show or restore or copy'],
    [['drafts', 'copy', 'd001', '--all'], 2, 'are for the list'],
    [['drafts', 'show', 'ffff'], 3, 'no such draft: ffff'],
    [['drafts', 'restore', 'nonsense'], 3, 'no such draft: nonsense'],
    [['drafts', '--session', 'nobody'], 3, 'no such session'],
  ])('%j fails with %i', async (args, code, words) => {
    const ran = await world.sm(args);
    expect([ran.code, ran.stdout]).toEqual([code, '']);
    expect(ran.stderr).toContain(words);
  });
});

test('a delivery past a draft leaves it in the journal, and the message says so', async () => {
  const editor = await world.agent('box', ['--editor', 'C-g'], { name: 'editor', agent: 'fake-editor' });
  const person = await world.person(editor);
  await person.type('half a thought, naïve 漢字');
  const seen: FeedEvent[] = [];
  const reading = (async () => {
    for await (const { event } of world.client.events()) {
      seen.push(event);
      if (event.type === 'message' && event.message.state === 'settled') return;
    }
  })();
  await until(async () => {
    await world.client.update('editor', { paused: false });
    return seen.length > 0;
  }, 'the feed');
  const message = await world.submitted(await world.send(editor, 'hello', { past_draft: 'now' }));
  expect(editor.submissions()).toEqual([delivered(message)]);
  expect(await ok('drafts', '--session', 'editor')).toContain('no draft of editor is missing');
  const [draft] = await json<Draft[]>('drafts', '--session', 'editor', '--all');
  expect(draft).toMatchObject({
    state: 'restored',
    text: 'half a thought, naïve 漢字',
    exact: true,
    message: message.id,
    protocol: 'editor',
    session: { name: 'editor' },
  });
  const shown = await ok('show', message.id);
  for (const part of [/way\s+editor/, /keys waited \d+ ms/, `sm drafts show ${draft?.id}`])
    expect(shown).toMatch(part);
  await reading;
  const drafts = seen.flatMap((event) => (event.type === 'draft' ? [event.draft.state] : []));
  expect(drafts).toContain('restored');
  expect(JSON.stringify(seen)).not.toContain('half a thought');
  await person.leave();
});

describe('restore', () => {
  let withEditor: TestAgent | undefined;
  // One agent for all of them, whose box is known.
  async function theEditor(): Promise<TestAgent> {
    if (withEditor) return withEditor;
    withEditor = await world.agent('box', ['--editor', 'C-g'], { name: 'caret', agent: 'fake-editor' });
    await world.submitted(await world.send(withEditor, 'so that its box is known'));
    return withEditor;
  }

  test('puts the exact text into the empty box, without Enter, and mail waits behind it', async () => {
    const text = 'first line\n\n  indented, naïve 漢字\nlast';
    const id = saved({ text });
    const before = agent.submissions().length;
    expect(await ok('drafts', 'restore', id)).toContain('Enter was not pressed');
    expect(await states()).toEqual({ [id]: 'taken' });
    await until(() => screen().includes('last'), 'the draft on the screen');
    const message = await world.send(agent, 'behind it');
    await world.held(message, 'draft');
    expect(agent.submissions()).toHaveLength(before);
    press('Enter');
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(agent.submissions().slice(before)).toEqual([text, delivered(message)]);
  });

  test.each([
    ['in the middle', 'half a thought', 4],
    ['at the start', 'half a thought', 0],
    ['at the end', 'half a thought', 14],
    ['in another line', 'one 漢字\ntwo\n\n  three', 6],
    ['before an emoji', '漢字 👍 b', 3],
  ])('brings the caret back to where it was: %s', async (_, text, caret) => {
    const editor = await theEditor();
    const id = saved({ session_id: editor.session.id, session_name: 'caret', text, caret });
    const restored = await world.sm(['drafts', 'restore', id]);
    expect(restored.stdout).toMatch(/Enter was not pressed; the caret is where it was\n$/);
    expect(await editor.draft()).toMatchObject({ text, caret });
    world.tmux('send-keys', '-t', editor.session.pane, 'Enter');
    await until(() => editor.submissions().at(-1) === text, 'the draft, sent');
  });

  test.each([
    ['nobody knows where it was', { caret: null }, 'where its caret was is not known'],
    [
      'nobody knows what its keys do',
      { caret: 4, protocol: 'interrupt' },
      'its caret may not be where it was',
    ],
  ])('says so where the caret cannot be brought back: %s', async (_, more, words) => {
    expect(await ok('drafts', 'restore', saved({ text: 'no more of it', ...more }))).toContain(words);
    expect(await agent.draft()).toMatchObject({ text: 'no more of it', caret: 13 });
    press('Enter');
    await until(() => last() === 'no more of it', 'the draft, sent');
  });

  test('leaves the caret alone where the program shows a label for the text', async () => {
    const editor = await world.agent('box', ['--editor', 'C-g', '--collapse', '10'], {
      name: 'label',
      agent: 'fake-editor',
    });
    await world.submitted(await world.send(editor, 'so that its box is known'));
    const text = 'half a thought, and the rest of it';
    const id = saved({ session_id: editor.session.id, session_name: 'label', text, caret: 4 });
    expect(await json<RestoredDraft>('drafts', 'restore', id)).toMatchObject({ caret_back: false });
    expect(await editor.draft()).toMatchObject({ text, caret: text.length });
  });

  test('refuses a box that holds something; the text is kept', async () => {
    const person = await world.person(agent);
    await person.type('mine');
    const id = saved();
    // What they typed rests; their own last key is waited out.
    const ran = await world.sm(['drafts', 'restore', id]);
    expect([ran.code, ran.stdout]).toEqual([4, '']);
    expect(ran.stderr).toMatch(/was not put back .* text is in the input box/);
    expect(ran.stderr).toContain(`Its text is still kept: "sm drafts copy ${id}"`);
    expect(await states()).toEqual({ [id]: 'differs' });
    expect(screen()).not.toContain('half a thought');
    await person.press('C-u');
    await person.leave();
  });

  test('waits out the keys of whoever has just typed the command', async () => {
    const person = await world.person(agent);
    await person.press('x', 'BSpace');
    const id = saved({ text: 'after a pause' });
    expect(await ok('drafts', 'restore', id)).toContain(id);
    await person.press('Enter');
    await until(() => last() === 'after a pause', 'the draft, sent by the person');
    await person.leave();
  });

  test('and a delivery at the same moment never mix', async () => {
    for (let round = 0; round < 12; round++) {
      const before = agent.submissions().length;
      const id = saved({ text: `draft ${round}` });
      const restoring = async (): Promise<boolean> =>
        world.client.restoreDraft(id).then(
          () => true,
          () => false,
        );
      const sending = (): Promise<Message> => world.send(agent, `message ${round}`);
      const [message, restored] = await (round % 2
        ? Promise.all([sending(), restoring()])
        : Promise.all([restoring(), sending()]).then(([r, m]) => [m, r] as const));
      // In either order: the person sends their draft, and the message goes alone.
      if (restored) press('Enter');
      expect((await world.submitted(message)).receipt).toBe('submitted');
      const expected = [...(restored ? [`draft ${round}`] : []), delivered(message)].sort();
      await until(() => agent.submissions().length >= before + expected.length, 'all of them');
      expect(agent.submissions().slice(before).sort()).toEqual(expected);
    }
  });

  test('holds mail back also while the program has not shown it yet', async () => {
    const slow = await world.agent('box', ['--paint-every', '600'], { name: 'slow' });
    await world.client.update('slow', { past_draft: 'never' });
    await world.submitted(await world.send(slow, 'so that its box is known'));
    const id = saved({ session_id: slow.session.id, session_name: 'slow', text: 'not shown yet' });
    const restoring = world.client.restoreDraft(id);
    const journal = `SM_AT_${slow.session.pane.slice(1)}`;
    await until(
      () => world.tmux('show-environment', '-g', '-h', journal).endsWith(`desk.${id}`),
      'the paste',
    );
    const message = await world.send(slow, 'in between');
    await world.held(message, 'draft');
    await restoring;
    world.tmux('send-keys', '-t', slow.session.pane, 'Enter');
    await world.submitted(message);
    expect(slow.submissions().slice(1)).toEqual(['not shown yet', delivered(message)]);
  });

  test('two at once: one of them is put back, the other is kept, and the box is known as before', async () => {
    const before = agent.submissions().length;
    const both = [saved({ text: 'this one' }), saved({ text: 'that one' })];
    const done = await Promise.allSettled(both.map((id) => world.client.restoreDraft(id)));
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    press('Enter');
    const message = await world.submitted(await world.send(agent, 'as ever'));
    expect(agent.submissions().slice(before)).toEqual([
      done[0]?.status === 'fulfilled' ? 'this one' : 'that one',
      delivered(message),
    ]);
  });

  describe('and a draft that goes back by itself take turns', () => {
    // An agent that paints late, and a draft that a delivery to it left out of its box.
    async function owing(
      name: string,
      state: 'saved' | 'differs',
      box = '',
    ): Promise<{ late: TestAgent; id: string }> {
      const args = ['--editor', 'C-g', '--paint-every', '240', '--log-keys'];
      const late = await world.agent('box', args, { name, agent: 'fake-late' });
      await world.client.update(name, { past_draft: 'never' });
      const { id: message_id } = await world.submitted(await world.send(late, 'so that its box is known'));
      if (box) world.tmux('send-keys', '-t', late.session.pane, box);
      const text = 'half a thought';
      const owed = {
        session_id: late.session.id,
        session_name: name,
        message_id,
        attempt: 1,
        text,
        caret: 4,
      };
      return { late, id: saved({ ...owed, state }) };
    }
    const marks = (late: TestAgent): number =>
      late.events().filter(({ ev, text }) => ev === 'key' && text?.includes('‡')).length;
    const calls = (late: TestAgent): number => late.events().filter(({ ev }) => ev === 'editor').length;

    test('it is on its way: it is waited for, and not put in a second time', async () => {
      const { late, id } = await owing('owing', 'saved', 'half a thought');
      await world.client.update('owing', { paused: false });
      // The first was for the message.
      await until(() => marks(late) > 1, 'our mark');
      const restored = await world.sm(['drafts', 'restore', id]);
      expect([restored.code, restored.stderr]).toEqual([0, '']);
      expect(restored.stdout).toContain(`draft ${id} went back by itself meanwhile`);
      expect(await states()).toEqual({ [id]: 'restored' });
      expect((await late.draft()).text).toBe('half a thought');
    });

    test('it is being restored: neither a return nor a delivery is begun there until that is over', async () => {
      const { late, id } = await owing('desk', 'differs');
      // One that has pressed no key there yet takes the record of keys over.
      await world.kill9();
      await world.startDaemon();
      const before = calls(late);
      const restoring = world.client.restoreDraft(id);
      const journal = `SM_AT_${late.session.pane.slice(1)}`;
      await until(
        () => world.tmux('show-environment', '-g', '-h', journal).endsWith(`desk.${id}`),
        'the paste',
      );
      execute("UPDATE drafts SET state = 'saved' WHERE id = ?", id);
      const message = await world.send(late, 'in between');
      await world.held(message, 'draft');
      expect(await restoring).toMatchObject({ state: 'taken', caret_back: true });
      expect(await states()).toEqual({ [id]: 'taken' });
      expect(await late.draft()).toMatchObject({ text: 'half a thought', caret: 4 });
      expect(calls(late)).toBe(before);
      await world.client.cancel(message.id);
    });
  });

  test('refuses what would press keys', async () => {
    const id = saved({ text: 'a\x1bb' });
    expect((await world.sm(['drafts', 'restore', id])).stderr).toContain('control characters');
    const readline = await world.agent('readline', [], { name: 'plain' });
    const lines = saved({ text: 'rm one\nrm two', session_id: readline.session.id, session_name: 'plain' });
    expect((await world.sm(['drafts', 'restore', lines])).stderr).toContain('several lines');
    const line = saved({ text: 'one line', session_id: readline.session.id, session_name: 'plain' });
    await ok('drafts', 'restore', line);
    expect(readline.submissions()).toEqual([]);
  });

  test('refuses while a person is in copy mode, and where the session is no more', async () => {
    world.tmux('copy-mode', '-t', agent.session.pane);
    expect((await world.sm(['drafts', 'restore', saved()])).stderr).toContain('copy mode');
    press('-X', 'cancel');
    const orphan = saved({ session_id: 'ffffffff', session_name: 'gone' });
    const ran = await world.sm(['drafts', 'restore', orphan]);
    expect([ran.code, ran.stderr]).toEqual([4, expect.stringContaining('gone is no more')]);
  });

  test('all delivery paused keeps mail away, not a person’s own text', async () => {
    await world.client.setPaused(true);
    await ok('drafts', 'restore', saved({ text: 'mine' }));
    await world.client.setPaused(false);
    press('Enter');
    await until(() => last() === 'mine', 'the draft, sent');
  });
});

describe('copy', () => {
  test.each([
    ['several lines', 'one\n  two\n\n'],
    ['what a shell and tmux would act on', '$HOME "#{pane_id}" \\n `ls` ; %% ~'],
    ['what is not ASCII', 'naïve 漢字 👩‍👩‍👧'],
  ])('%s: into the paste buffer, and into a pipe with nothing added', async (_, text) => {
    const id = saved({ text });
    expect(await ok('drafts', 'copy', id)).toBe(text);
    const file = path.join(world.folder, 'buffer');
    world.tmux('save-buffer', file);
    expect(fs.readFileSync(file, 'utf8')).toBe(text);
    expect(await states()).toEqual({ [id]: 'taken' });
  });

  test('on a terminal says where it is', async () => {
    const id = saved({ text: 'secret words' });
    const command = [process.execPath, path.join(ROOT, 'dist/cli/main.js'), 'drafts', 'copy', id];
    const keep = ['-d', '-P', '-F', '#{pane_id}', '-t', 'keep:', '-e', `SM_HOME=${world.home}`];
    world.tmux('set-option', '-g', 'remain-on-exit', 'on');
    const pane = world.tmux('new-window', ...keep, ...command);
    const shown = (): string => world.tmux('capture-pane', '-p', '-J', '-S', '-', '-t', pane);
    await until(() => shown().includes('prefix ] pastes it'), 'where it is');
    expect(shown()).not.toContain('secret words');
    world.tmux('kill-pane', '-t', pane);
  });

  test('also of a session that is no more', async () => {
    const id = saved({ session_id: 'ffffffff', session_name: 'gone', text: 'left' });
    expect(await json('drafts', 'copy', id)).toMatchObject({ buffer: false, draft: { text: 'left' } });
  });
});

test('the feed tells of a draft without what a person typed', async () => {
  const seen: FeedEvent[] = [];
  const feed = world.client.events();
  const reading = (async () => {
    for await (const { event } of feed) {
      seen.push(event);
      if (event.type === 'draft') return;
    }
  })();
  // The first event shows that we are listening.
  await until(async () => {
    await world.client.update('api', { paused: false });
    return seen.length > 0;
  }, 'the feed');
  await world.client.copyDraft(saved({ text: 'private words', found: 'private too' }));
  await reading;
  expect(seen.at(-1)).toMatchObject({ type: 'draft', draft: { state: 'taken', session: { name: 'api' } } });
  expect(JSON.stringify(seen)).not.toContain('private');
  expect(fs.readFileSync(path.join(world.home, 'daemon.log'), 'utf8')).not.toContain('private');
});

test('what is older than it is to be kept is forgotten at the next start', async () => {
  const days = 86_400_000;
  const old = saved({ updated_at: Date.now() - 31 * days });
  const young = saved({ updated_at: Date.now() - 29 * days });
  expect(Object.keys(await states())).toEqual([old, young]);
  await world.kill9();
  await world.startDaemon();
  expect(Object.keys(await states())).toEqual([young]);
  const mode = fs.statSync(path.join(world.home, 'suremail.db')).mode & 0o777;
  expect(mode).toBe(0o600);
});

describe('past_draft', () => {
  test('of a session: set when it starts or is adopted, changed later, shown', async () => {
    const started = await json<Session>(
      'new',
      '--socket',
      world.socket,
      '--name',
      'started',
      '--past-draft',
      'stale',
      '--',
      'cat',
    );
    expect(started.past_draft).toBe('stale');
    const pane = world.tmux('new-window', '-P', '-F', '#{pane_id}', '-t', 'keep', 'cat');
    const adopted = await json<Session>(
      'adopt',
      pane,
      '--socket',
      world.socket,
      '--name',
      'adopted',
      '--past-draft',
      'now',
    );
    expect(adopted.past_draft).toBe('now');
    // A pane that is a session already keeps what it has, or gets what is said.
    const again = (...more: string[]) => json<Session>('adopt', pane, '--socket', world.socket, ...more);
    expect((await again()).past_draft).toBe('now');
    expect((await again('--past-draft', 'never')).past_draft).toBe('never');
    expect(await ok('set', 'adopted', '--past-draft', 'auto')).toContain('past_draft is auto');
    expect(await ok('show', 'adopted')).toMatch(/past draft\s+auto/);
    expect((await json<Session>('set', 'adopted', '--past-draft', 'default')).past_draft).toBeNull();
    expect(await ok('show', 'adopted')).toMatch(/past draft\s+as the configuration says/);
    await world.kill9();
    await world.startDaemon();
    expect((await world.client.session('started')).past_draft).toBe('stale');
  });

  test('of a message: kept with it and shown', async () => {
    await world.client.update('api', { paused: true });
    const { messages } = await json<{ messages: Message[] }>('send', 'api', '--past-draft', 'now', 'hello');
    expect(messages[0]?.past_draft).toBe('now');
    const plain = await world.send(agent, 'no word about it');
    expect(plain.past_draft).toBeNull();
    expect(await ok('show', messages[0]?.id ?? '')).toMatch(/past draft\s+now/);
    await world.client.update('api', { paused: false });
    await world.submitted(plain);
    const shown = await json<MessageWithEvents>('show', plain.id);
    expect(shown).toMatchObject({ way: 'direct', draft: null });
  });

  test('which draft a message was saved for, and how long keys waited, come from its events', async () => {
    const message = await world.submitted(await world.send(agent, 'past a draft'));
    const event = 'INSERT INTO message_events (message_id, at, kind, data) VALUES (?, ?, ?, ?)';
    execute(event, message.id, Date.now(), 'submitted', JSON.stringify({ heldMs: 420, draft: 'd123' }));
    expect(await world.client.message(message.id)).toMatchObject({ held_ms: 420, draft: 'd123' });
    const text = await ok('show', message.id);
    expect(text).toContain("a person's keys waited 420 ms");
    expect(text).toContain('sm drafts show d123');
  });

  test.each([
    [['set', 'api', '--past-draft', 'sometimes'], '--past-draft "sometimes": must be auto or now'],
    [['send', 'api', '--past-draft', 'no', 'x'], '--past-draft "no": must be auto or now'],
    [['set', 'api'], 'nothing to set'],
    [['adopt', '--past-draft', 'now'], '--past-draft needs a target'],
  ])('%j', async (args, words) => {
    const ran = await world.sm(args);
    expect([ran.code, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toContain(words);
  });

  test.each([
    ['a message', () => world.client.send({ to: ['api'], text: 'x', past_draft: 'maybe' as 'now' })],
    ['a session', () => world.client.update('api', { past_draft: 'maybe' as 'now' })],
    ['a start', () => world.client.start({ command: ['cat'], past_draft: 'maybe' as 'now' })],
    ['an adoption', () => world.client.adopt({ target: '%0', past_draft: 'maybe' as 'now' })],
  ])('the API names the field, the value and what would be right: %s', async (_, act) => {
    await expect(act()).rejects.toMatchObject({
      status: 400,
      detail: { field: 'past_draft', value: 'maybe', expected: 'must be auto, now, stale or never' },
    });
  });
});
