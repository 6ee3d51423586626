// The test plans of the two designs that `sm send` comes from, point by point, on fake agents: `woken` tells which turn took what,
// `box` tells nothing.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Message, SendRequest } from '../src/api/types.js';
import { fill, seenEmpty } from './support/fill.js';
import { until } from './support/tmux.js';
import { delivered, type TestAgent, World } from './support/world.js';

const EDITOR = `
programs: []
protocols: [{ protocol: direct }, { protocol: editor }]
editor: { keys: [C-g], file: '*/fake-prompt-*.md', quietMs: 10, enterGapMs: 10, submittedMs: 10, restoredMs: 20 }
pace: { stepMs: 2, enterMs: 50 }
`;

let world: World;
beforeAll(async () => {
  world = new World();
  world.profile('fake-editor', EDITOR);
  world.configure('sm_send:\n  input_stale_timeout: 1\n');
  await world.begin();
});
afterAll(() => world.dispose());

async function woken(args: string[] = []): Promise<TestAgent> {
  const config = fs.mkdtempSync(path.join(world.folder, 'config-'));
  const agent = await world.agent('woken/cli', args, { agent: 'claude', env: { CLAUDE_CONFIG_DIR: config } });
  const isOpen = async () => (await world.client.session(agent.session.id)).door?.state === 'open';
  await until(isOpen, 'its door to open');
  return agent;
}

const editorBox = async (args: string[] = []): Promise<TestAgent> => {
  const agent = await world.agent('box', ['--editor', 'C-g', ...args], { agent: 'fake-editor' });
  await seenEmpty(world, agent);
  return agent;
};

async function send(
  from: TestAgent,
  to: TestAgent,
  text: string,
  more: Partial<SendRequest> = {},
): Promise<Message> {
  const request = { to: [to.session.id], text, from: { session: from.session.id }, ...more };
  return (await world.client.send(request)).messages[0] as Message;
}
const reached = async ({ id }: Message, receipt: 'submitted' | 'received' | 'done'): Promise<void> => {
  const { outcome } = await world.client.wait(id, { for: receipt, timeout: 30 });
  if (outcome !== 'reached') console.log(JSON.stringify(await world.client.message(id), null, 1));
  expect(outcome).toBe('reached');
};
const kinds = async ({ id }: Message): Promise<string[]> =>
  (await world.client.message(id)).events.map(({ kind }) => kind);
const took = (agent: TestAgent, text: string): number =>
  agent.submissions().filter((each) => each.includes(text)).length;
const timeOf = (agent: TestAgent, text: string): number =>
  agent.events().find(({ ev, text: said }) => ev === 'submit' && said?.includes(text))?.t ?? Number.NaN;
// Notices of sm, as the sender's agent took them.
const stops = (sender: TestAgent): number => took(sender, 'has finished the turn');

describe('direct paste', () => {
  test('1, mid-turn delivery: as the next input after the turn, whole, and nothing is interrupted', async () => {
    const [agent, other] = [await woken(['--busy', '1200']), await woken()];
    const first = await send(other, agent, 'task X');
    await reached(first, 'received');
    const message = await send(other, agent, 'task Y\nin two lines');
    expect(took(agent, 'task Y')).toBe(0);
    await reached(message, 'done');
    expect(await kinds(first)).toContain('done');
    expect((await world.client.message(first.id)).events.at(-1)?.data).toMatchObject({ how: 'completed' });
    expect(took(agent, 'task Y\nin two lines')).toBe(1);
    expect(timeOf(agent, 'task Y') - timeOf(agent, 'task X')).toBeGreaterThanOrEqual(1200);
  });

  test('2, idle delivery: at once', async () => {
    const [agent, other] = [await woken(), await woken()];
    const message = await send(other, agent, 'hello');
    await reached(message, 'done');
    expect(await kinds(message)).toEqual(['queued', 'attempt', 'accepted', 'received', 'done']);
    const box = await world.agent('box', []);
    await seenEmpty(world, box);
    const typed = await world.send(box, 'hello');
    await reached(typed, 'submitted');
    expect(await kinds(typed)).toEqual(['queued', 'attempt', 'typed', 'submitted']);
  });

  test('3, prompt with typing: deferred, and it arrives once the person has submitted theirs', async () => {
    const agent = await world.agent('box', []);
    await seenEmpty(world, agent);
    const person = await world.person(agent);
    await person.type('half a thought');
    const message = await world.send(agent, 'behind it', { past_draft: 'never' });
    await until(
      async () => /draft|user_typing/.test((await world.client.message(message.id)).held ?? ''),
      'held',
    );
    expect(took(agent, 'behind it')).toBe(0);
    person.send('\r');
    await reached(message, 'submitted');
    expect(agent.submissions().slice(1)).toEqual(['half a thought', delivered(message)]);
  });

  test('4, rapid burst: all arrive, in order, and none is lost', async () => {
    for (const agent of [await woken(['--busy', '50']), await world.agent('box', [])]) {
      const sent = [];
      for (const n of [1, 2, 3]) sent.push(await world.send(agent, `burst ${n}`));
      for (const message of sent) await reached(message, 'submitted');
      // A busy agent has what its box let go of in a queue of its own first.
      await until(() => agent.submissions().length >= 3, 'three of them');
      const order = agent.submissions().map((text) => /burst \d/.exec(text)?.[0]);
      expect(order).toEqual(['burst 1', 'burst 2', 'burst 3']);
    }
  });

  test('5, stop-notify mid-turn: at the end of its own turn, not of the one that ran', async () => {
    const [agent, sender, other] = [await woken(['--busy', '900']), await woken(), await woken()];
    const first = await send(other, agent, 'task X');
    await reached(first, 'received');
    const message = await send(sender, agent, 'task Y', { notify_on_stop: true });
    await reached(first, 'done');
    expect(stops(sender)).toBe(0);
    await reached(message, 'done');
    await until(() => stops(sender) === 1, 'the word to its sender');
    expect(stops(other)).toBe(0);
  });

  test('6, stop-notify idle: at the end of the turn that took it', async () => {
    const [agent, sender] = [await woken(['--busy', '300']), await woken()];
    const message = await send(sender, agent, 'task Y', { notify_on_stop: true });
    await reached(message, 'received');
    expect(stops(sender)).toBe(0);
    await until(() => stops(sender) === 1, 'the word to its sender');
    expect(await kinds(message)).toContain('done');
  });

  test('7, stop-notify with a long task before it: no time bound makes it come early', {
    timeout: 60_000,
  }, async () => {
    const [agent, sender, other] = [await woken(['--busy', '8500']), await woken(), await woken()];
    const first = await send(other, agent, 'task X');
    await reached(first, 'received');
    await send(sender, agent, 'task Y', { notify_on_stop: true });
    await reached(first, 'done');
    expect(stops(sender)).toBe(0);
    await until(() => stops(sender) === 1, 'the word to its sender', 30_000);
    expect(took(agent, 'task Y')).toBe(1);
  });

  test('8, sm wait: not in the moment between two turns', async () => {
    const [agent, other] = [await woken(['--busy', '900']), await woken()];
    const first = await send(other, agent, 'task X');
    await reached(first, 'received');
    const message = await send(other, agent, 'task Y');
    const ran = await world.sm(['wait', agent.session.name, '--for', 'idle', '--timeout', '30s']);
    expect([ran.code, (await world.client.message(message.id)).receipt]).toEqual([0, 'done']);
  });

  test('9, typing and lost hooks: a draft that nobody touches is still found to be stale', async () => {
    const agent = await editorBox();
    const person = await world.person(agent);
    const before = await fill(agent, person, { text: 'walked away', back: 3 });
    const message = await world.send(agent, 'past it', { past_draft: 'stale' });
    await until(async () => (await world.client.message(message.id)).held !== null, 'held');
    expect(took(agent, 'past it')).toBe(0);
    await reached(message, 'submitted');
    expect(took(agent, delivered(message))).toBe(1);
    expect(await agent.draft()).toEqual(before);
  });

  test('10, urgent: the turn that runs is interrupted', async () => {
    const [agent, other] = [await woken(['--busy', '20000']), await woken()];
    const first = await send(other, agent, 'task X');
    await reached(first, 'received');
    const urgent = await send(other, agent, 'stop', { mode: 'urgent' });
    await reached(urgent, 'received');
    expect(await kinds(urgent)).toContain('interrupted');
    expect(took(agent, 'stop')).toBe(1);
  });
});

describe('sm send v2', () => {
  test('basic queue and delivery: queued while it is busy, delivered when it is idle', async () => {
    const [agent, other] = [await woken(['--busy', '700']), await woken()];
    await reached(await send(other, agent, 'work'), 'received');
    const ran = await world.sm(['send', agent.session.name, 'test message']);
    expect(ran.stdout).toMatch(/^queued [0-9a-f]{12} for /);
    await until(() => took(agent, 'test message') === 1, 'its delivery');
  });

  test('several that wait go as one text, in the format of the design, each with its own receipt', async () => {
    const agent = await world.agent('box', []);
    await seenEmpty(world, agent);
    await world.client.update(agent.session.id, { paused: true });
    const sent = [];
    for (const name of ['agent-a', 'agent-b']) {
      const { messages } = await world.client.send({
        to: [agent.session.id],
        text: `from ${name}`,
        from: { name },
      });
      sent.push(messages[0] as Message);
    }
    const command = await world.send(agent, '/compact', { command: true });
    await world.client.update(agent.session.id, { paused: false });
    for (const message of [...sent, command]) await reached(message, 'submitted');
    const [a, b] = sent as [Message, Message];
    expect(agent.deliveries().slice(1)).toEqual([
      `[Input from: agent-a via sm send] #${a.id}\nfrom agent-a\n\n[Input from: agent-b via sm send] #${b.id}\nfrom agent-b`,
      '/compact',
    ]);
    expect(
      (await world.client.message(b.id)).events.find(({ kind }) => kind === 'attempt')?.data,
    ).toMatchObject({
      lead: a.id,
    });
  });

  test('user input is kept: the message goes past it, and it is back', async () => {
    const agent = await editorBox(['--busy', '300']);
    const person = await world.person(agent);
    const before = await fill(agent, person, { text: 'I am typing something', back: 0 });
    const message = await world.send(agent, 'interrupting message');
    await reached(message, 'submitted');
    await until(async () => (await agent.draft()).text === before.text, 'the draft to be back');
    expect(agent.submissions().slice(1)).toEqual([delivered(message)]);
  });

  test('timeout: a message to an agent that stays busy is dropped', async () => {
    const [agent, other] = [await woken(['--busy', '4000']), await woken()];
    await reached(await send(other, agent, 'work'), 'received');
    const message = await send(other, agent, 'too late', { timeout_seconds: 1 });
    await until(async () => (await world.client.message(message.id)).state === 'expired', 'it to expire');
    await until(() => took(other, 'too late') === 1, 'its sender to hear of it');
    expect(took(agent, 'too late')).toBe(0);
  });

  test('reminder: comes in its time', async () => {
    const agent = await woken();
    const ran = await world.sm(['remind', '1s', 'test reminder'], { env: { SM_SESSION: agent.session.id } });
    expect(ran.code).toBe(0);
    await until(() => took(agent, '[sm] Scheduled reminder:\ntest reminder') === 1, 'the reminder');
  });

  test('the queue in the columns of the design', async () => {
    const agent = await world.agent('box', []);
    await world.client.update(agent.session.id, { paused: true });
    const message = await world.send(agent, 'waits');
    const { default: Database } = await import('better-sqlite3');
    const database = new Database(path.join(world.home, 'suremail.db'), { readonly: true });
    const row = database.prepare('SELECT * FROM message_queue WHERE id = ?').get(message.id);
    database.close();
    expect(row).toMatchObject({
      target_session_id: agent.session.id,
      sender_session_id: null,
      sender_name: 'user',
      text: 'waits',
      delivery_mode: 'sequential',
      timeout_at: null,
      notify_on_delivery: 0,
      notify_after_seconds: null,
      delivered_at: null,
    });
  });
});
