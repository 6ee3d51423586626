// An agent that has only just begun, or that ends: whoever waits for a receipt gets it, or learns that it never comes.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message } from '../src/api/types.js';
import { until } from './support/tmux.js';
import { type TestAgent, World } from './support/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.dispose());

const woken = (args: string[], more = {}): Promise<TestAgent> =>
  world.agent('woken/cli', args, {
    agent: 'claude',
    env: { CLAUDE_CONFIG_DIR: fs.mkdtempSync(path.join(world.folder, 'config-')) },
    ...more,
  });

async function notice({ session }: TestAgent, text: string, more = {}): Promise<Message> {
  const from = { session: session.id };
  const { messages } = await world.client.send({ to: [session.id], text, from, ...more });
  return messages[0] as Message;
}

const kill = ({ session }: TestAgent): boolean => process.kill(session.program?.pid ?? -1, 'SIGKILL');

test('done can be waited for as soon as the session is there', async () => {
  const { session } = await woken([], { ready: false });
  const { code, stderr } = await world.sm(['send', session.name, '--wait=done', 'hello']);
  expect([code, stderr]).toEqual([0, '']);
});

test('an agent that dies in its turn: the wait is over, and so is the turn', async () => {
  const agent = await woken(['--busy', '60000']);
  const message = await notice(agent, 'keeps it busy');
  await world.client.wait(message.id, { for: 'received', timeout: 20 });
  const waiting = world.client.wait(message.id, { for: 'done', timeout: 40 });
  const before = Date.now();
  kill(agent);
  expect((await waiting).receipt).toBe('done');
  expect(Date.now() - before).toBeLessThan(20_000);
  const { events } = await world.client.message(message.id);
  expect(events.at(-1)).toMatchObject({ kind: 'done', data: { how: 'interrupted' } });
});

test("a program that dies of our Enter: an agent's mail is sent again", async () => {
  const message = await notice(await world.agent('crash'), 'last words');
  const kinds = async (): Promise<string[]> =>
    (await world.client.message(message.id)).events.map(({ kind }) => kind);
  await until(async () => (await kinds()).includes('again'), 'it to be sent again');
  expect((await world.client.message(message.id)).state).toBe('pending');
});
