// Claude Code's door on the real Claude Code: the draft, dialogs and the person's own prompts untouched; each message once.
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ByHand } from './support/by-hand.js';
import { type RealAgent, soon, testsOf, waysOf } from './support/real-agent.js';

const test = testsOf('claude');
// Long enough for a key or a message that must not come to be seen.
const WATCH_MS = 1000;
const IMPORTANT = { mode: 'important' } as const;

test('idle beside a draft: received with its evidence, done with the answer, the draft untouched', async (claude) => {
  await claude.stage.typist.type('half a draft');
  const message = await claude.whenDone(await claude.send('while idle'));
  expect(waysOf(message)).toEqual(['door']);
  expect(message.evidence).toMatch(/^transcript: /);
  expect(message.turn).toEqual(expect.any(String));
  expect(message.answer).toMatch(/^ok /);
  expect(claude.times('while idle')).toBe(1);
  await claude.stage.rest();
  expect(await claude.stage.takeDraft()).toBe('half a draft');
});

test('idle, several at once: each once, and each has its own receipt', async (claude) => {
  const texts = [1, 2, 3].map((n) => `at once ${n}`);
  const ids = await Promise.all(texts.map((text) => claude.send(text)));
  for (const id of ids) await claude.whenDone(id);
  expect(texts.map((text) => claude.times(text))).toEqual([1, 1, 1]);
});

test('idle, several that waited: one delivery and one turn, exact and in order, each with its own receipt', async (claude) => {
  const texts = ['waited 1', 'waited 2\n\nin two <parts> & "more"', 'waited 3'];
  const { ids, told } = await claude.together(texts);
  const messages = [];
  for (const id of ids) messages.push(await claude.whenDone(id));
  expect(new Set(messages.map(({ turn }) => turn)).size).toBe(1);
  for (const message of messages) {
    expect(message.evidence).toMatch(/^transcript: /);
    expect(message.answer).toMatch(/^ok /);
  }
  expect(claude.requests().at(-1)?.newest).toEqual(told);
  expect(texts.map((text) => claude.times(text))).toEqual([1, 1, 1]);
});

test('busy: sequential mail after the turn and in order, important mail at the next tool boundary', async (claude) => {
  const work = await claude.send('[[hold tool]] [[run echo tool]]');
  await claude.eventually(() => claude.times('[[hold tool]] [[run echo tool]]') === 1, 'it works');
  await claude.whenStatus('busy');
  const ids: string[] = [];
  for (const n of [1, 2, 3]) ids.push(await claude.send(`burst ${n}`));
  const important = await claude.send('important', IMPORTANT);
  await claude.whenAccepted(important);
  await claude.whenHeld(ids[0] ?? '', 'agent_busy');
  claude.release('tool');
  for (const id of [work, important, ...ids]) expect(waysOf(await claude.whenDone(id))).toEqual(['door']);
  const inOrder = ['important', 'burst 1', 'burst 2', 'burst 3'];
  expect(claude.lastLines(4)).toEqual(inOrder);
  for (const text of inOrder) expect(claude.times(text)).toBe(1);
  const turns = await Promise.all(
    [work, important, ...ids].map(async (id) => (await claude.message(id)).turn),
  );
  // What waited for the end of the turn comes in one.
  expect(turns[1]).toBe(turns[0]);
  expect(new Set(turns.slice(2)).size).toBe(1);
  expect(turns[2]).not.toBe(turns[0]);
});

test('an approval is open: nothing is answered, the agent is known to wait, mail comes after it', async (claude) => {
  const made = path.join(claude.stage.place.folder, 'made');
  await claude.say(`[[run touch ${made}]]`);
  await claude.whenStatus('waiting');
  await claude.eventually(() => claude.stage.dialogOpen(), 'its question is on the screen');
  const sequential = await claude.send('at a dialog');
  const important = await claude.send('important at a dialog', IMPORTANT);
  const urgent = await claude.send('urgent at a dialog', { mode: 'urgent' });
  const prompt = await claude.send('a person at a dialog', { from: undefined });
  await claude.whenHeld(urgent, 'agent_waits');
  await claude.stage.rest(WATCH_MS);
  expect(claude.stage.dialogOpen()).toBe(true);
  expect(await claude.status()).toBe('waiting');
  for (const id of [sequential, urgent, prompt]) expect((await claude.message(id)).state).toBe('pending');
  expect(fs.existsSync(made)).toBe(false);
  await claude.stage.typist.press('Enter');
  for (const id of [sequential, important]) await claude.whenDone(id);
  for (const id of [urgent, prompt]) await claude.whenReceived(id);
  expect(fs.existsSync(made)).toBe(true);
  // An agent shows that it has taken one before it asks the model.
  await claude.stage.rest();
  const texts = ['at a dialog', 'important at a dialog', 'urgent at a dialog', 'a person at a dialog'];
  expect(texts.map((text) => claude.times(text))).toEqual([1, 1, 1, 1]);
});

test('urgent mail interrupts once and comes before what waits', async (claude) => {
  await claude.keepBusy('urgent');
  const waits = await claude.send('waits');
  const urgent = await claude.send('urgent', { mode: 'urgent' });
  const { events } = await claude.whenDone(urgent);
  await claude.whenDone(waits);
  expect(events.filter(({ kind }) => kind === 'interrupted')).toHaveLength(1);
  const held = claude.requests().filter(({ users }) => users.at(-1) === '[[hold urgent]]');
  expect(held.map(({ end }) => end)).toEqual(['aborted']);
  expect(claude.lastLines(2)).toEqual(['urgent', 'waits']);
  expect([claude.times('urgent'), claude.times('waits')]).toEqual([1, 1]);
});

test('a person presses Enter at the moment a message comes: both arrive, exact and once', async (claude) => {
  for (const n of [1, 2, 3]) {
    await claude.stage.typist.type(`my own words ${n}`);
    const [id] = await Promise.all([claude.send(`meanwhile ${n}`), claude.stage.typist.enter()]);
    await claude.whenDone(id);
    await claude.eventually(() => claude.times(`my own words ${n}`) === 1, 'the prompt arrives');
    await claude.whenStatus('idle');
    expect([claude.times(`my own words ${n}`), claude.times(`meanwhile ${n}`)]).toEqual([1, 1]);
  }
  await claude.stage.rest();
  expect(await claude.stage.takeDraft()).toBe('');
});

test("a person's short mail is a prompt as it was written, and the draft comes back", async (claude) => {
  const text = `in one line: "quotes" 'and' $HOME \`x\` #{pane_id} Ä 中 ✓`;
  await claude.stage.typist.type('half a draft');
  const id = await claude.send(text, { from: undefined });
  const message = await claude.whenReceived(id);
  expect(message).toMatchObject({ as: 'prompt', evidence: 'transcript: user, typed' });
  const told = `[Input from: user via sm send] #${id}\n${text}`;
  await claude.eventually(() => claude.prompts().includes(told), 'it arrives');
  expect(saidOf(claude, id)).toEqual([told]);
  await claude.stage.rest();
  expect(await claude.stage.takeDraft()).toBe('half a draft');
  await expect.poll(() => promptsIn(claude).filter((said) => said.includes(id))).toEqual([told]);
});

test("a person's long mail is rung for: its text comes with the bell, exact to the byte, and the draft comes back", async (claude) => {
  const lines = Array.from({ length: 37 }, (_, n) => `line ${n}: "quotes" 'and' $HOME \`x\` \\n #{pane_id}`);
  const text = ['first line', '', '  indented', ...lines, `Ä 中 ✓ ${'long '.repeat(60)}end`].join('\n');
  await claude.stage.typist.type('half a draft');
  const id = await claude.send(text, { from: undefined });
  const message = await claude.whenReceived(id);
  expect(message).toMatchObject({ as: 'prompt', evidence: 'transcript: hook_additional_context' });
  expect(message.turn).toEqual(expect.any(String));
  const header = `[Input from: user via sm send] #${id}`;
  const bell = `${header} My message is in the hook context below`;
  await claude.eventually(() => claude.prompts().includes(bell), 'it arrives');
  // In one request: none has the bell alone.
  const told = claude.requests().filter(({ users }) => users.includes(bell));
  for (const { users } of told)
    expect(users.filter((said) => said.includes(id))).toEqual([bell, `${header}\n${text}`]);
  await claude.stage.rest();
  expect(await claude.stage.takeDraft()).toBe('half a draft');
  expect(promptsIn(claude).filter((said) => said.includes(id))).toEqual([bell]);
  const folder = path.join(claude.stage.place.env.SM_HOME, 'doors', claude.own.id, 'UserPromptSubmit.for');
  expect(fs.readdirSync(folder)).toEqual([]);
});

test('the daemon is killed between acknowledgement and receipt: once, and its receipt comes later', async (claude) => {
  await claude.keepBusy('crash');
  const ids = [await claude.send('over a crash', IMPORTANT), await claude.send('behind the crash')];
  await claude.whenAccepted(ids[0] ?? '');
  await claude.killDaemon();
  claude.release('crash');
  await claude.eventually(() => claude.times('over a crash') === 1, 'it arrives');
  await claude.startDaemon();
  for (const id of ids) expect(waysOf(await claude.whenDone(id))).toEqual(['door']);
  expect([claude.times('over a crash'), claude.times('behind the crash')]).toEqual([1, 1]);
});

let hand: ByHand;

test('one that was started by hand finds its door once the hooks are installed, while it runs', async (claude) => {
  hand = new ByHand(claude, 'claude');
  await hand.start();
  await hand.adopt();
  expect(await claude.stage.place.sm(['hooks', 'install', 'claude'])).toContain('hooks put into');
  // It picks its settings up within seconds; the door opens with the first turn after that.
  const isOpen = async (): Promise<boolean> =>
    (await claude.client.session(hand.session)).door?.state === 'open';
  const opens = async (): Promise<boolean> => {
    hand.say('hello');
    return (await soon(isOpen, WATCH_MS)) === true;
  };
  await claude.eventually(opens, 'its door is open');
  const message = await claude.whenDone(await claude.send('to one by hand', { to: [hand.session] }));
  expect(waysOf(message)).toEqual(['door']);
  expect(claude.times('to one by hand')).toBe(1);
});

test('killed with mail that it accepted and has not taken: the next one in the pane gets it, once', async (claude) => {
  const { session } = hand;
  hand.say('[[hold hand]]');
  await claude.whenStatus('busy', session);
  const id = await claude.send('when it dies', { to: [session], ...IMPORTANT });
  await claude.whenAccepted(id);
  process.kill(await claude.pid('program', session), 'SIGKILL');
  const { events } = await claude.whenState(id, 'pending');
  expect(events.map(({ kind }) => kind)).toContain('returned');
  expect(claude.times('when it dies')).toBe(0);
  await hand.start();
  hand.say('hello again');
  await claude.whenReceived(id);
  await claude.stage.rest(WATCH_MS);
  expect(claude.times('when it dies')).toBe(1);
});

test('killed, and nothing follows in its pane: not received, and pending', async (claude) => {
  await claude.keepBusy('last');
  const ids = [await claude.send('accepted', IMPORTANT), await claude.send('queued')];
  await claude.whenAccepted(ids[0] ?? '');
  process.kill(await claude.pid(), 'SIGKILL');
  await claude.eventually(async () => (await claude.client.session(claude.own.id)).state !== 'live', 'gone');
  for (const id of ids) expect(await claude.whenState(id, 'pending')).toMatchObject({ receipt: 'queued' });
  expect([claude.times('accepted'), claude.times('queued')]).toEqual([0, 0]);
});

// What the model was told last with that id.
const saidOf = (claude: RealAgent, id: string): string[] =>
  claude.prompts().filter((said) => said.includes(id));

// What its transcripts hold as words of the user's own.
function promptsIn({ stage }: RealAgent): string[] {
  const root = path.join(stage.place.home, '.claude', 'projects');
  const files = fs.readdirSync(root, { recursive: true, encoding: 'utf8' });
  const lines = files
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) => fs.readFileSync(path.join(root, file), 'utf8').split('\n'));
  return lines
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .filter(({ type, promptSource }) => type === 'user' && promptSource === 'typed')
    .map(({ message }) => message.content);
}
