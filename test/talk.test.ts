// Conversations as agents and people have them: answers without ids, questions, waiting, many recipients, the person, kin.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InboxItem, Message, MessageWithEvents, Session, Status } from '../src/api/types.js';
import { fakeAgent, until } from './support/tmux.js';
import { type TestAgent, World } from './support/world.js';

let world: World;
let bin: string;
// What the desktop was told.
let notes: string;
beforeAll(async () => {
  bin = fs.mkdtempSync(path.join(os.tmpdir(), 'smw-bin-'));
  notes = path.join(bin, 'notes');
  fs.writeFileSync(
    path.join(bin, 'notify-send'),
    `#!/bin/sh\nfor word; do printf '%s\\n' "$word"; done >>${notes}\n`,
    { mode: 0o755 },
  );
  world = await World.start({ PATH: `${bin}:${process.env.PATH ?? ''}` });
});
afterAll(async () => {
  await world.dispose();
  fs.rmSync(bin, { recursive: true, force: true });
});

const configFolder = (): string => fs.mkdtempSync(path.join(world.folder, 'config-'));

// An agent with a door, known to be open.
async function woken(name: string, args: string[] = []): Promise<TestAgent> {
  const agent = await world.agent('woken/cli', args, {
    name,
    agent: 'claude',
    env: { CLAUDE_CONFIG_DIR: configFolder() },
  });
  await opened(agent.session);
  return agent;
}
const opened = ({ id, name }: Session): Promise<unknown> =>
  until(async () => (await world.client.session(id)).door?.state === 'open', `the door of ${name} to open`);

const as = ({ session: { id } }: TestAgent): { env: NodeJS.ProcessEnv } => ({ env: { SM_SESSION: id } });
async function json<T>(args: string[], options: Parameters<World['sm']>[1] = {}): Promise<T> {
  const ran = await world.sm([...args, '--json'], options);
  expect([args.join(' '), ran.code, ran.stderr]).toEqual([args.join(' '), 0, '']);
  return JSON.parse(ran.stdout) as T;
}
const sentBy = async (agent: TestAgent, to: string[], text: string): Promise<Message[]> =>
  (await world.client.send({ to, text, from: { session: agent.session.id } })).messages;
const whole = ({ id }: Message): Promise<MessageWithEvents> => world.client.message(id);
const reached = async ({ id }: Message, receipt: 'received' | 'done'): Promise<void> => {
  const { outcome } = await world.client.wait(id, { for: receipt, timeout: 20 });
  if (outcome !== 'reached') console.log(JSON.stringify(await world.client.message(id), null, 1));
  expect(outcome).toBe('reached');
};
const gets = (agent: TestAgent, text: string): Promise<string> =>
  until(() => agent.submissions().find((each) => each.includes(text)), `"${text}"`);

describe('sm reply', () => {
  test('answers what the agent is handling, without an id, and the answer is answered', async () => {
    const [lead, worker] = [await woken('lead'), await woken('worker', ['--busy', '1500'])];
    const [asked] = await sentBy(lead, ['worker'], 'why is it red?');
    await reached(asked as Message, 'received');
    const ran = await world.sm(['reply', 'a test fails'], as(worker));
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toMatch(new RegExp(`^queued \\w{12} for lead, in answer to ${asked?.id}\n$`));
    await gets(lead, 'a test fails');
    const answer = (await world.client.messages({ thread: asked?.id as string })).at(-1) as Message;
    expect(answer).toMatchObject({ text: 'a test fails', in_reply_to: asked?.id, from: { name: 'worker' } });
    await reached(answer, 'received');
    await json(['reply', 'fix it'], as(lead));
    await gets(worker, 'fix it');
    const { stdout } = await world.sm(['show', asked?.id ?? '']);
    expect(stdout).toMatch(/thread +\w{12}, 3 messages/);
    expect(stdout).toMatch(
      /lead +worker +why is it red\?\n.*worker +lead +a test fails\n.*lead +worker +fix it/,
    );
  });

  test('by an agent without any mail says so', async () => {
    const lonely = await woken('lonely');
    const ran = await world.sm(['reply', 'hello?'], as(lonely));
    expect([ran.code, ran.stdout]).toEqual([3, '']);
    expect(ran.stderr).toContain('lonely has received no message that it could answer');
  });

  test('to one who has gone is an error', async () => {
    const [asking, answering] = [await woken('asking'), await woken('answering')];
    const [asked] = await sentBy(asking, ['answering'], 'still there?');
    await reached(asked as Message, 'received');
    await world.client.kill('asking');
    const ran = await world.sm(['reply', 'yes'], as(answering));
    expect([ran.code, ran.stdout]).toEqual([4, '']);
    expect(ran.stderr).toContain('has gone');
  });
});

describe('sm ask', () => {
  test('prints what the agent said in the turn that took the question', async () => {
    await woken('oracle', ['--busy', '200']);
    const ran = await world.sm(['ask', 'oracle', 'how long is this?']);
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toMatch(/^ok \d+\n$/);
  });

  test('is refused at once where the end of a turn is never known, and nothing is sent', async () => {
    const mute = await world.agent('box', [], { name: 'mute' });
    const ran = await world.sm(['ask', 'mute', 'hello?']);
    expect([ran.code, ran.stdout]).toEqual([4, '']);
    expect(ran.stderr).toContain('mute can prove "submitted" at most');
    expect(mute.submissions()).toEqual([]);
  });

  test('ends with 124 when the time is over, and the message stays', async () => {
    await woken('slow', ['--busy', '5000']);
    const ran = await world.sm(['ask', 'slow', 'take your time', '--timeout', '500ms']);
    expect(ran.code).toBe(124);
    expect(ran.stderr).toMatch(/no answer from slow within 500 ms; \w{12} is \w+ so far/);
  });
});

describe('sm wait', () => {
  test('on a busy agent, a message queued behind: only after the turn of that message', async () => {
    const agent = await woken('worked', ['--busy', '700']);
    const [first] = await sentBy(agent, ['worked'], 'task X');
    await reached(first as Message, 'received');
    const waiting = world.client.waitForSession('worked', { timeout: 30 });
    const [second] = await sentBy(agent, ['worked'], 'task Y');
    expect(await waiting).toMatchObject({ outcome: 'reached', status: { state: 'idle' } });
    for (const message of [first, second]) expect((await whole(message as Message)).receipt).toBe('done');
  });

  test('right after a send, over and over: the rest from before never counts', async () => {
    const agent = await woken('quick', ['--busy', '60']);
    expect((await world.sm(['wait', 'quick', '--timeout', '20s'])).code).toBe(0);
    for (let round = 0; round < 8; round++) {
      // A person's goes through the box, an agent's through the door.
      const [message] =
        round % 2 === 0
          ? await sentBy(agent, ['quick'], `round ${round}`)
          : [await world.send(agent, `round ${round}`)];
      const rest = await world.client.waitForSession('quick', { timeout: 30 });
      expect([round, rest.outcome, (await whole(message as Message)).receipt]).toEqual([
        round,
        'reached',
        'done',
      ]);
    }
  });

  test('for a receipt; and 1 where it can never be', async () => {
    const agent = await woken('receiving');
    const [message] = await sentBy(agent, ['receiving'], 'a letter');
    const ran = await world.sm(['wait', message?.id ?? '']);
    expect([ran.code, ran.stdout]).toEqual([0, `done ${message?.id} to receiving\n`]);
    const plain = await world.agent('box', [], { name: 'plain' });
    const typed = await world.send(plain, 'a letter');
    const never = await world.sm(['wait', typed.id]);
    expect([never.code, never.stdout]).toEqual([1, '']);
    expect(never.stderr).toContain('will not be done; the best known is "submitted"');
  });

  test('1 for a program of which nothing tells, and for one that ends meanwhile; 124 for the time', async () => {
    await world.agent('box', [], { name: 'unknown' });
    expect((await world.sm(['wait', 'unknown'])).code).toBe(1);
    const agent = await woken('ending', ['--busy', '60000']);
    const [message] = await sentBy(agent, ['ending'], 'for ever');
    await reached(message as Message, 'received');
    expect((await world.sm(['wait', 'ending', '--timeout', '300ms'])).code).toBe(124);
    const waiting = world.sm(['wait', 'ending']);
    world.tmux('kill-pane', '-t', agent.session.pane);
    const ran = await waiting;
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('will not be seen to be idle')]);
  });
});

test('to many: a message and a receipt of its own for each, and none for the sender', async () => {
  const crew = [await woken('crew-1'), await woken('crew-2'), await woken('crew-3')];
  await world.agent('box', [], { name: 'crewless' });
  const [first] = crew as [TestAgent];
  const { messages } = await json<{ messages: Message[] }>(['send', 'crew-*', 'stop'], as(first));
  expect(messages.map(({ to }) => to.name)).toEqual(['crew-2', 'crew-3']);
  for (const message of messages) await reached(message, 'done');
  expect(crew.map((agent) => agent.submissions().length)).toEqual([0, 1, 1]);
  expect(await json(['group', 'add', 'night', 'crew-1', 'crew-3'])).toMatchObject({ name: 'night' });
  const group = await json<{ messages: Message[] }>(['send', '@night', 'go'], as(first));
  expect(group.messages.map(({ to }) => to.name)).toEqual(['crew-3']);
  expect((await json<Session>(['show', 'crew-3'])).groups).toEqual(['night']);
  const nobody = await world.sm(['send', '@day', 'go']);
  expect([nobody.code, nobody.stdout]).toEqual([3, '']);
  expect(nobody.stderr).toMatch(/nobody else is in the group "day".*@night/);
});

test('the person is told, reads it, answers, and the agent has the answer; a daemon that dies changes nothing', async () => {
  const agent = await woken('pleading');
  const sent = await world.sm(['send', '@me', 'may I <delete> it?'], as(agent));
  expect([sent.code, sent.stdout]).toEqual([0, expect.stringMatching(/^put \w{12} into the inbox/)]);
  await until(() => fs.existsSync(notes) && fs.readFileSync(notes, 'utf8').includes('pleading'), 'the note');
  expect(fs.readFileSync(notes, 'utf8')).toContain('from pleading: may I &lt;delete&gt; it?\n');
  await world.kill9();
  await world.startDaemon();
  expect((await json<Status>(['status'])).unread).toBe(1);
  expect((await world.sm(['status'])).stdout).toMatch(/inbox +1 unread/);
  const [item] = await json<InboxItem[]>(['inbox']);
  expect(item).toMatchObject({ from: { name: 'pleading' }, text: 'may I <delete> it?' });
  await opened(agent.session);
  expect((await world.sm(['reply', item?.id ?? '', 'no'])).code).toBe(0);
  await gets(agent, '\nno');
  expect(await json<InboxItem[]>(['inbox'])).toEqual([]);
  expect(await json<InboxItem[]>(['inbox', '--all'])).toMatchObject([{ id: item?.id }]);
  const [answer] = (await world.client.messages({ thread: item?.thread as string })) as [Message];
  await reached(answer, 'received');
  // And back again, by an agent that knows no id.
  const back = await json<{ inbox: InboxItem[]; answers: string }>(['reply', 'I did not'], as(agent));
  expect(back).toMatchObject({ answers: answer.id, inbox: [{ text: 'I did not', thread: item?.thread }] });
});

test('an agent starts another: it has its first message, its parent, and a way back', async () => {
  const parent = await woken('mother');
  const log = world.agentLog('daughter');
  const { session, message } = await world.client.spawn({
    text: 'look around',
    name: 'daughter',
    agent: 'claude',
    command: [process.execPath, fakeAgent('woken/cli')],
    cwd: world.folder,
    env: { FAKE_LOG: log.log, CLAUDE_CONFIG_DIR: configFolder() },
    groups: ['family'],
    from: { session: parent.session.id },
  });
  const daughter = { session, ...log };
  // Beside its parent, on the same server.
  expect(session).toMatchObject({
    parent: { id: parent.session.id, name: 'mother' },
    groups: ['family'],
    socket: parent.session.socket,
  });
  await reached(message, 'done');
  expect(log.submissions().filter((text) => text.includes('look around'))).toHaveLength(1);
  expect((await json<Session[]>(['children'], as(parent))).map(({ name }) => name)).toEqual(['daughter']);
  const { messages } = await json<{ messages: Message[] }>(['send', '@parent', 'seen it'], as(daughter));
  expect(messages.map(({ to }) => to.name)).toEqual(['mother']);
  await gets(parent, 'seen it');
  const orphan = await world.sm(['send', '@parent', 'hello?'], as(parent));
  expect([orphan.code, orphan.stderr]).toEqual([3, expect.stringContaining('was not started by an agent')]);
  const person = await world.sm(['send', '@parent', 'hello?']);
  expect([person.code, person.stderr]).toEqual([2, expect.stringContaining('is for agents')]);
});

test('a program that takes no mail is not left behind by sm spawn', async () => {
  const before = (await world.client.sessions()).length;
  const ran = await world.sm(['spawn', '--agent', 'bash --norc', '--socket', world.socket, 'go on']);
  expect([ran.code, ran.stdout]).toEqual([4, '']);
  expect((await world.client.sessions()).length).toBe(before);
});

test('busy by its own word, and ready again, shown to whoever looks', async () => {
  const agent = await woken('working');
  expect((await world.sm(['busy', 'migrating the database'], as(agent))).code).toBe(0);
  expect((await world.sm(['ls'])).stdout).toMatch(/^working .*busy: migrating the database/m);
  expect((await world.sm(['show', 'working'])).stdout).toMatch(/busy +by its own word for .*: migrating/);
  await world.kill9();
  await world.startDaemon();
  expect(await world.client.session('working')).toMatchObject({ busy_reason: 'migrating the database' });
  expect((await world.sm(['ready'], as(agent))).code).toBe(0);
  expect(await world.client.session('working')).toMatchObject({ busy_since: null, busy_reason: null });
});
