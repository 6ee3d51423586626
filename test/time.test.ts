// What sm says by itself arrives: reminders, whatever becomes of the daemon meanwhile, and word to senders in their own panes.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { locateHome } from '../src/api/locate.js';
import type { Message, SendRequest } from '../src/api/types.js';
import { openDatabase } from '../src/store/open.js';
import { until } from './support/tmux.js';
import { type TestAgent, World } from './support/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.dispose());

// Several may come as one delivery.
const took = (agent: TestAgent): string => agent.submissions().join('\n');
const times = (agent: TestAgent, text: string): number => took(agent).split(text).length - 1;
const arrives = (agent: TestAgent, text: string): Promise<unknown> =>
  until(() => took(agent).includes(text), `"${text}" in ${took(agent)}`, 30_000);
const inbox = (): string[] => {
  const database = openDatabase(locateHome(world.env).database, { readonly: true });
  try {
    return (database.prepare('SELECT text FROM inbox ORDER BY seq').all() as { text: string }[]).map(
      ({ text }) => text,
    );
  } finally {
    database.close();
  }
};

// All that was said before it has arrived.
async function mark(agent: TestAgent): Promise<void> {
  await world.submitted(await world.send(agent, 'the last'));
}

async function send(from: TestAgent, to: TestAgent, more: Partial<SendRequest>): Promise<Message> {
  const request = { to: [to.session.id], text: 'do task X', from: { session: from.session.id }, ...more };
  return (await world.client.send(request)).messages[0] as Message;
}

describe('a reminder', () => {
  test('comes to the session that asked for it, once, as a notice of sm', async () => {
    const agent = await world.agent('box');
    const { code, stdout } = await world.sm(['remind', '1s', 'check on engineer progress'], {
      env: { SM_SESSION: agent.session.id },
    });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^reminder [0-9a-f]{12} for box-/)]);
    await arrives(agent, '[sm] Scheduled reminder:\ncheck on engineer progress');
    expect(took(agent)).toMatch(/^\[Input from: sm via sm send\] #[0-9a-f]{12}\n\[sm\] Scheduled reminder:/);
    await mark(agent);
    expect(times(agent, 'check on engineer progress')).toBe(1);
  });

  test('survives a daemon that is killed', async () => {
    const agent = await world.agent('box');
    await world.sm(['remind', '4s', 'after the kill', '--to', agent.session.name]);
    await world.kill9();
    await world.startDaemon();
    await arrives(agent, '[sm] Scheduled reminder:\nafter the kill');
    await world.kill9();
    await world.startDaemon();
    await mark(agent);
    expect(times(agent, 'after the kill')).toBe(1);
  });

  test('that fell due while no daemon ran comes once, and says how late it is', async () => {
    const agent = await world.agent('box');
    const { due_at } = await world.client.remind({ to: agent.session.id, text: 'too late', in_seconds: 1 });
    await world.kill9();
    await until(() => Date.now() > Date.parse(due_at) + 1500, 'its time to pass');
    await world.startDaemon();
    await arrives(agent, 'too late');
    expect(took(agent)).toMatch(/\[sm\] Scheduled reminder:\ntoo late\n\(due at [-\d]+ [:\d]+, \d+s late\)/);
    await mark(agent);
    expect(times(agent, 'too late')).toBe(1);
  });

  test('for a person goes into the inbox', async () => {
    await world.sm(['wake', '1s', 'look at the queue']);
    await until(() => inbox().includes('[sm] Scheduled reminder:\nlook at the queue'), 'the inbox');
  });

  test('comes again and again until it is cancelled', async () => {
    const agent = await world.agent('box');
    const { stdout } = await world.sm(['remind', '--every', '1s', '--to', agent.session.id, 'again']);
    const id = /^reminder ([0-9a-f]{12})/.exec(stdout)?.[1] as string;
    await until(() => times(agent, '\nagain') >= 2, 'it to come twice', 20_000);
    expect((await world.sm(['reminders'])).stdout).toContain(id);
    expect((await world.sm(['reminders', 'cancel', id.slice(0, 6)])).stdout).toBe(
      `cancelled reminder ${id}\n`,
    );
    expect((await world.sm(['reminders'])).stdout).not.toContain(id);
    expect(await world.sm(['reminders', 'cancel', id])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('is cancelled already'),
    });
  });

  test.each([
    [['remind', 'x'], 2, 'the time is missing'],
    [['remind', 'soon', 'x'], 2, 'time "soon": must be a time such as'],
    [['remind', '5m', '--at', '17:30', 'x'], 2, 'not both'],
    [['remind', '--at', '25:00', 'x'], 2, '--at "25:00": must be a time such as'],
    [['remind', '--at', '2020-01-01T10:00', 'x'], 2, 'must be a time to come'],
    [['remind', '5m', '--to', 'nobody', 'x'], 3, 'nobody'],
    [['reminders', 'cancel', 'ffffffffffff'], 3, 'no such reminder: ffffffffffff'],
  ])('sm %j is refused', async (args, code, why) => {
    expect(await world.sm(args)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(why) });
  });
});

test('nobody else sends as sm', async () => {
  const agent = await world.agent('box');
  const refused = await world.sm(['send', agent.session.id, 'hello', '--from', 'sm']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('"sm"') });
});

describe('a sender hears in its own pane', () => {
  test('of the delivery, and of it again so long after', async () => {
    const [sender, target] = [await world.agent('box'), await world.agent('box')];
    await send(sender, target, { notify_on_delivery: true, notify_after_seconds: 1 });
    const name = `${target.session.name} (${target.session.id})`;
    await arrives(sender, `[sm] Message delivered to ${name}\nOriginal: "do task X..."`);
    await arrives(
      sender,
      `[sm] Reminder: 1s since your message to ${target.session.name} was delivered\nOriginal: "do task X..."\nYou can check status with: sm output ${target.session.id}`,
    );
    await mark(sender);
    expect([times(sender, 'Message delivered'), times(sender, 'Reminder: 1s')]).toEqual([1, 1]);
  });

  test('that its message expired, unless it is to be quiet', async () => {
    const [sender, target] = [await world.agent('box'), await world.agent('box')];
    await world.client.update(target.session.id, { paused: true });
    await send(sender, target, { timeout_seconds: 0.5, quiet: true, text: 'quiet' });
    await send(sender, target, { timeout_seconds: 1 });
    await arrives(sender, `[sm] Message to ${target.session.name} (${target.session.id}) expired`);
    await mark(sender);
    expect(times(sender, 'expired')).toBe(1);
  });

  test('what happened just before its daemon was killed', async () => {
    const [sender, target] = [await world.agent('box'), await world.agent('box')];
    await world.client.update(sender.session.id, { paused: true });
    const message = await send(sender, target, { notify_on_delivery: true });
    await world.submitted(message);
    await world.kill9();
    await world.startDaemon();
    await world.client.update(sender.session.id, { paused: false });
    await arrives(sender, 'Message delivered');
    await mark(sender);
    expect(times(sender, 'Message delivered')).toBe(1);
  });

  test('and one outside any session in the inbox', async () => {
    const target = await world.agent('box');
    const text = 'from a person';
    await world.client.send({ to: [target.session.id], text, notify_on_delivery: true });
    await until(() => inbox().some((line) => line.includes(`Original: "${text}..."`)), 'the inbox');
  });
});

describe('the end of a turn', () => {
  const woken = (args: string[]): Promise<TestAgent> =>
    world.agent('woken/cli', args, {
      agent: 'claude',
      env: { CLAUDE_CONFIG_DIR: fs.mkdtempSync(path.join(world.folder, 'config-')) },
    });

  test('is that of the turn that took the message, with its answer, for each of its senders', async () => {
    const [first, second] = [await world.agent('box'), await world.agent('box')];
    const target = await woken(['--busy', '3000']);
    await until(
      async () => (await world.client.session(target.session.id)).door?.state === 'open',
      'its door to open',
    );
    await send(first, target, { text: 'task X', notify_on_stop: true });
    await until(() => times(target, 'task X') === 1, 'task X to begin');
    await send(second, target, { text: 'task Y', notify_on_stop: true });
    const finished = `[sm] ${target.session.name} (${target.session.id}) has finished the turn that took your message`;
    await arrives(first, `${finished}\nOriginal: "task X..."\nAnswer:\nok `);
    // Task Y has only begun.
    expect(took(second)).not.toContain(finished);
    await arrives(second, `${finished}\nOriginal: "task Y..."\nAnswer:\nok `);
    await mark(first);
    expect([times(first, finished), times(second, finished)]).toEqual([1, 1]);
  });

  test('of a program that tells nothing is when it has come to rest', async () => {
    const [sender, target] = [await world.agent('box'), await world.agent('box')];
    await send(sender, target, { notify_on_stop: true });
    await arrives(
      sender,
      `[sm] ${target.session.name} (${target.session.id}) has stopped since your message`,
    );
    await mark(sender);
    expect(times(sender, 'has stopped')).toBe(1);
  });

  test('is not waited for when its agent is killed', async () => {
    const [sender, target] = [await world.agent('box'), await world.agent('redraw')];
    await world.submitted(await send(sender, target, { notify_on_stop: true }));
    await world.client.kill(target.session.id);
    await arrives(sender, `${target.session.name} (${target.session.id}) has ended`);
  });
});
