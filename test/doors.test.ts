// Through an agent's own door: no key is pressed, and the agent itself shows what it took.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Message } from '../src/api/types.js';
import { fill } from './support/fill.js';
import { until } from './support/tmux.js';
import { type TestAgent, World } from './support/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.dispose());

const woken = (args: string[] = [], env = {}): Promise<TestAgent> =>
  world.agent('woken/cli', args, {
    agent: 'claude',
    env: { CLAUDE_CONFIG_DIR: fs.mkdtempSync(path.join(world.folder, 'config-')), ...env },
  });

const opened = (agent: TestAgent): Promise<unknown> =>
  until(
    async () => (await world.client.session(agent.session.id)).door?.state === 'open',
    'its door to open',
  );

// As another agent writes: what it says is a notice.
async function notice(agent: TestAgent, text: string, more = {}): Promise<Message> {
  const from = { session: agent.session.id };
  const { messages } = await world.client.send({ to: [agent.session.id], text, from, ...more });
  return messages[0] as Message;
}

const reached = async (message: Message, receipt: 'received' | 'done'): Promise<Message> => {
  const after = await world.client.wait(message.id, { for: receipt, timeout: 20 });
  if (after.receipt !== receipt && after.receipt !== 'done')
    console.log(JSON.stringify(await world.client.message(message.id), null, 1));
  return after;
};

const count = (agent: TestAgent, { id }: Message): number =>
  agent.submissions().filter((text) => text.includes(`#${id}`)).length;

// A Stop hook has left what it was given, all of it: one that is killed meanwhile leaves half.
function stopIsLeft(): boolean {
  const spool = path.join(world.home, 'spool');
  const stops = fs.readdirSync(spool).filter((name) => /^\d.*-Stop$/.test(name));
  return stops.some((name) => fs.readFileSync(path.join(spool, name), 'utf8').endsWith('\n.\n'));
}

const kinds = async ({ id }: Message): Promise<string[]> =>
  (await world.client.message(id)).events.map(({ kind }) => kind);

describe('a session that sm started', () => {
  test('takes a notice through its wake hook while a person types; the receipt says how that is known', async () => {
    const agent = await woken();
    await opened(agent);
    const person = await world.person(agent);
    const before = await fill(agent, person, { text: 'half a thought', back: 3 });
    const message = await notice(agent, 'hello');
    expect((await reached(message, 'done')).receipt).toBe('done');
    expect(count(agent, message)).toBe(1);
    expect(await agent.draft()).toEqual(before);
    expect(await world.client.message(message.id)).toMatchObject({
      way: 'door',
      evidence: expect.stringMatching(/^transcript: /),
      turn: expect.any(String),
      answer: expect.stringMatching(/^ok /),
      state: 'settled',
    });
    expect(await kinds(message)).toEqual(['queued', 'attempt', 'accepted', 'received', 'done']);
  });

  test('is idle, busy and idle again, by its own registry', async () => {
    const agent = await woken(['--busy', '700']);
    await opened(agent);
    const status = async () => (await world.client.session(agent.session.id)).status;
    await until(async () => (await status()).state === 'idle', 'idle');
    await notice(agent, 'work');
    await until(async () => (await status()).state === 'busy', 'busy');
    expect((await status()).source).toBe('registry');
    await until(async () => (await status()).state === 'idle', 'idle again');
  });

  test('sequential mail waits for the end of the turn, important mail does not, and goes ahead', async () => {
    const agent = await woken(['--busy', '800']);
    await opened(agent);
    const first = await notice(agent, 'first');
    await reached(first, 'received');
    const second = await notice(agent, 'second');
    const third = await notice(agent, 'third', { mode: 'important' });
    await world.held(second, 'agent_busy');
    await until(async () => (await kinds(third)).includes('accepted'), 'the important one to be accepted');
    for (const message of [first, second, third])
      expect((await reached(message, 'done')).receipt).toBe('done');
    const order = agent
      .submissions()
      .map((text) => [first, second, third].findIndex(({ id }) => text.includes(id)));
    expect(order).toEqual([0, 2, 1]);
  });

  test('a burst arrives once each and in order', async () => {
    const agent = await woken(['--busy', '30']);
    await opened(agent);
    const messages = [];
    for (let i = 0; i < 12; i++) messages.push(await notice(agent, `number ${i}`));
    for (const message of messages) expect((await reached(message, 'done')).receipt).toBe('done');
    const numbers = agent.submissions().map((text) => Number(/number (\d+)/.exec(text)?.[1]));
    expect(numbers).toEqual(messages.map((_, i) => i));
  });

  test("a person's mail is a prompt: it goes through the box, and the hooks show it all the same", async () => {
    const agent = await woken();
    await opened(agent);
    const message = await world.send(agent, 'from a person');
    expect((await reached(message, 'done')).receipt).toBe('done');
    expect(await world.client.message(message.id)).toMatchObject({ way: 'editor', as: 'prompt' });
    expect(count(agent, message)).toBe(1);
  });

  test("a person's mail waits for the end of the turn, in the box as through the door", async () => {
    const agent = await woken(['--busy', '900']);
    await opened(agent);
    await reached(await notice(agent, 'work'), 'received');
    const message = await world.send(agent, 'after that');
    await world.held(message, 'agent_busy');
    expect(count(agent, message)).toBe(0);
    expect((await reached(message, 'done')).receipt).toBe('done');
    expect(count(agent, message)).toBe(1);
  });

  test('what its agent has in a queue of its own comes before what the same sender types', async () => {
    const agent = await woken(['--busy', '700']);
    await opened(agent);
    await reached(await notice(agent, 'work'), 'received');
    const first = await notice(agent, 'first', { mode: 'important' });
    await until(async () => (await kinds(first)).includes('accepted'), 'accepted');
    const second = await notice(agent, 'second', { as: 'prompt', mode: 'important' });
    for (const message of [first, second]) expect((await reached(message, 'done')).receipt).toBe('done');
    const order = agent.submissions().map((text) => [first, second].findIndex(({ id }) => text.includes(id)));
    expect(order.filter((i) => i >= 0)).toEqual([0, 1]);
  });

  test('a command carries no id, so nobody waits for it to be shown', async () => {
    const agent = await woken();
    await opened(agent);
    const { code } = await world.sm(['send', agent.session.name, '--command', '--wait=done', '/help']);
    expect(code).toBe(4);
  });

  test('--wait=done is refused at once where nothing could prove it', async () => {
    const agent = await world.agent('box');
    const { code, stderr } = await world.sm(['send', agent.session.name, '--wait=done', 'hello']);
    expect(code).toBe(4);
    expect(stderr).toContain('can prove "submitted" at most');
  });
});

describe('nothing is lost and nothing comes twice', () => {
  test('a daemon killed right after the agent took it', async () => {
    const agent = await woken(['--busy', '300']);
    await opened(agent);
    const first = await notice(agent, 'first');
    await until(async () => (await kinds(first)).includes('accepted'), 'accepted');
    await world.kill9();
    await until(() => count(agent, first) === 1, 'the agent to show it');
    await world.startDaemon();
    expect((await reached(first, 'done')).receipt).toBe('done');
    const second = await notice(agent, 'second');
    await reached(second, 'done');
    expect([count(agent, first), count(agent, second)]).toEqual([1, 1]);
  });

  test('what hooks say while no daemon runs is heard later', async () => {
    const agent = await woken(['--busy', '400']);
    await opened(agent);
    const message = await notice(agent, 'finish this alone');
    await reached(message, 'received');
    await world.kill9();
    await until(stopIsLeft, 'the Stop hook');
    await world.startDaemon();
    expect(await reached(message, 'done')).toMatchObject({ receipt: 'done' });
  });

  test('nor is it lost when the agent ended too before a daemon ran again', async () => {
    const agent = await woken(['--busy', '400']);
    await opened(agent);
    const message = await notice(agent, 'finish this alone, and go');
    await reached(message, 'received');
    await world.kill9();
    await until(stopIsLeft, 'the Stop hook');
    process.kill(agent.session.program?.pid ?? -1, 'SIGKILL');
    await world.startDaemon();
    expect(await reached(message, 'done')).toMatchObject({ receipt: 'done' });
  });

  test('sent into a turn that began under an earlier daemon: waits for its end, and has a turn of its own', async () => {
    const agent = await woken(['--busy', '3000']);
    await opened(agent);
    const first = await notice(agent, 'keeps it busy');
    await reached(first, 'received');
    await world.kill9();
    await world.startDaemon();
    await opened(agent);
    const typed = await world.send(agent, 'after that');
    await world.submitted(typed);
    expect((await reached(typed, 'done')).receipt).toBe('done');
    const [one, two] = await Promise.all([first, typed].map(({ id }) => world.client.message(id)));
    expect(one?.turn).not.toBe(two?.turn);
    expect(two?.evidence).toBe('transcript: user, typed');
    const text = agent.submissions().find((each) => each.includes(`#${typed.id}`)) ?? '';
    expect(two?.answer).toBe(`ok ${text.length}`);
  });

  test('said to be handed over by a hook that was killed then: found out when the agent stays idle', async () => {
    const agent = await woken();
    await opened(agent);
    const door = path.join(world.home, 'doors', agent.session.id);
    const lock = () => fs.readdirSync(door).find((name) => name.startsWith('waiter.')) ?? '';
    const waiter = Number.parseInt(fs.readlinkSync(path.join(door, await until(lock, 'a waiter'))), 10);
    // It does all that a waiter does, and never wakes the agent.
    process.kill(waiter, 'SIGSTOP');
    const message = await notice(agent, 'hello');
    const at = (ending: string) => path.join(door, 'inbox', `${message.id}.${ending}`);
    await until(() => fs.existsSync(at('msg')), 'its file');
    fs.renameSync(at('msg'), at('told'));
    process.kill(waiter, 'SIGKILL');
    await until(async () => (await kinds(message)).includes('accepted'), 'accepted');
    await until(async () => (await kinds(message)).includes('returned'), 'returned', 20_000);
    expect((await reached(message, 'done')).receipt).toBe('done');
    expect(count(agent, message)).toBe(1);
  });

  test('an agent that dies with it untaken: the next one in the pane gets it', async () => {
    const agent = await woken(['--busy', '60000']);
    await opened(agent);
    const first = await notice(agent, 'keeps it busy');
    await reached(first, 'received');
    const queued = await notice(agent, 'is in its queue', { mode: 'important' });
    await until(async () => (await kinds(queued)).includes('accepted'), 'accepted');
    process.kill(agent.session.program?.pid ?? -1, 'SIGKILL');
    await until(async () => (await kinds(queued)).includes('returned'), 'that it was never taken');
    expect((await world.client.message(queued.id)).state).toBe('pending');
    expect(count(agent, queued)).toBe(0);
  });

  test('a waiter that is killed before it hands the message over', async () => {
    const agent = await woken();
    await opened(agent);
    const door = path.join(world.home, 'doors', agent.session.id);
    const waiter = await until(
      () => fs.readdirSync(door).find((name) => name.startsWith('waiter.')),
      'a waiter',
    );
    process.kill(Number.parseInt(fs.readlinkSync(path.join(door, waiter)), 10), 'SIGKILL');
    const message = await notice(agent, 'hello');
    // No key of ours may do what a hook cannot: a notice goes through the box where the door does not take it.
    expect((await reached(message, 'done')).receipt).toBe('done');
    expect(count(agent, message)).toBe(1);
  });

  test('a hook of a pane that nobody knows is kept aside', async () => {
    const hook = path.join(world.home, 'hooks', 'hook.sh');
    const { execFileSync } = await import('node:child_process');
    const env = { ...process.env, TMUX: '/nowhere,1,0', TMUX_PANE: '%99', SM_SESSION: '' };
    execFileSync('sh', [hook, world.home, 'claude', 'Stop'], { env, input: '{"session_id":"x"}' });
    await until(
      () => fs.readdirSync(path.join(world.home, 'spool', 'aside')).length > 0,
      'it to be put aside',
    );
  });
});

describe('a door that stays shut', () => {
  test('hooks turned off by policy: mail goes through the box, and sm says why', async () => {
    const agent = await woken(['--no-hooks', '--no-registry']);
    const message = await notice(agent, 'hello');
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(count(agent, message)).toBe(1);
    const { way, events } = await world.client.message(message.id);
    expect(way).not.toBe('door');
    // It was waited for, and not for ever.
    expect(events.map(({ data }) => data.reason)).toContain('door_opening');
  });
});

describe('sm hooks', () => {
  const hooks = (verb: string, config: string) =>
    world.sm(['hooks', verb, 'claude'], { env: { CLAUDE_CONFIG_DIR: config } });

  test("install and uninstall leave a file with the user's own hooks as it was, to the byte", async () => {
    const config = fs.mkdtempSync(path.join(world.folder, 'own-'));
    const file = path.join(config, 'settings.json');
    const own = `{\n    "model": "opus",\n    "hooks": {"Stop": [ {"hooks": [{"type":"command","command":"say done"}]} ]}\n}`;
    fs.writeFileSync(file, own);
    expect((await hooks('install', config)).stdout).toContain(`hooks put into ${file}`);
    expect((await hooks('install', config)).stdout).toContain('already');
    const now = JSON.parse(fs.readFileSync(file, 'utf8'));
    expect(now.model).toBe('opus');
    expect(now.hooks.Stop[0]).toEqual({ hooks: [{ type: 'command', command: 'say done' }] });
    expect(now.hooks.UserPromptSubmit).toHaveLength(1);
    expect((await hooks('status', config)).stdout).toContain(`hooks are in ${file}`);
    expect((await hooks('uninstall', config)).stdout).toContain('taken out');
    expect(fs.readFileSync(file, 'utf8')).toBe(own);
    expect((await hooks('uninstall', config)).stdout).toContain('no hooks of ours');
  });

  test('settings that are not JSON are left alone', async () => {
    const config = fs.mkdtempSync(path.join(world.folder, 'own-'));
    fs.writeFileSync(path.join(config, 'settings.json'), '{ "hooks": ');
    const { code, stderr } = await hooks('install', config);
    expect(code).not.toBe(0);
    expect(stderr).toContain('nothing was changed');
    expect(fs.readFileSync(path.join(config, 'settings.json'), 'utf8')).toBe('{ "hooks": ');
  });
});
