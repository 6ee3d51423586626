// An agent that has only just begun: mail waits until it is known whether it has a door, and for one that is being opened.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message } from '../src/api/types.js';
import { fakeAgent, until } from './support/tmux.js';
import { type TestAgent, World } from './support/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.dispose());

interface Late {
  // It goes on with its start.
  begin(): void;
  // It answers whoever asks for its version.
  tell(version: string): void;
  adopt(agent: string): Promise<TestAgent>;
}

// In a pane of a person's, so that its version is asked for only once it runs.
function late(program: string, ...args: string[]): Late {
  const folder = fs.mkdtempSync(path.join(world.folder, 'late-'));
  const name = path.basename(folder);
  const log = world.agentLog(name);
  const script = path.join(folder, 'late.mjs');
  fs.copyFileSync(fakeAgent('late'), script);
  fs.chmodSync(script, 0o700);
  const give = (file: string, text: string): void => {
    fs.writeFileSync(path.join(folder, `.${file}`), text);
    fs.renameSync(path.join(folder, `.${file}`), path.join(folder, file));
  };
  const env = ['-e', `FAKE_LOG=${log.log}`, '-e', `CLAUDE_CONFIG_DIR=${folder}`];
  const where = ['-d', '-P', '-F', '#{pane_id}', '-x', '100', '-y', '30'];
  const command = [process.execPath, script, fakeAgent(program), ...args];
  const pane = world.tmux('new-session', ...where, ...env, '--', ...command);
  return {
    begin: () => give('begin', ''),
    tell: (version) => give('version', version),
    adopt: async (agent) => ({
      session: await world.client.adopt({ target: pane, socket: world.socket, name, agent }),
      ...log,
    }),
  };
}

async function notice({ session }: TestAgent, text: string): Promise<Message> {
  const { messages } = await world.client.send({ to: [session.id], text, from: { session: session.id } });
  return messages[0] as Message;
}

const door = async ({ session }: TestAgent) => (await world.client.session(session.id)).door;

test('waits until the door is there, then until it is open, and goes through it', async () => {
  const config = fs.mkdtempSync(path.join(world.folder, 'config-'));
  await world.sm(['hooks', 'install', 'claude'], { env: { CLAUDE_CONFIG_DIR: config } });
  const starts = late('woken/cli', '--settings', path.join(config, 'settings.json'));
  const agent = await starts.adopt('claude');
  const message = await notice(agent, 'hello');
  expect(await world.held(message, 'door_opening')).toMatchObject({
    held_detail: 'its agent has only just begun',
  });
  expect(await door(agent)).toBeNull();
  starts.tell('2.1.325');
  await until(async () => (await door(agent))?.state === 'opening', 'its door to be tried');
  await world.held(message, 'door_opening');
  starts.begin();
  expect((await world.client.wait(message.id, { for: 'done', timeout: 20 })).receipt).toBe('done');
  const { way, events } = await world.client.message(message.id);
  expect(way).toBe('door');
  expect(events.filter(({ kind }) => kind === 'attempt')).toHaveLength(1);
  expect(agent.submissions().filter((text) => text.includes(`#${message.id}`))).toHaveLength(1);
});

test('goes by the box at once when the door turns out to be shut', async () => {
  const starts = late('box');
  starts.begin();
  const agent = await starts.adopt('gemini');
  await until(() => agent.events().some(({ ev }) => ev === 'ready'), 'its box');
  const message = await notice(agent, 'hello');
  await world.held(message, 'door_opening');
  // Nothing is typed before that is known.
  expect(agent.submissions()).toEqual([]);
  starts.tell('0.1.0');
  expect((await world.submitted(message)).receipt).toBe('submitted');
  expect(await door(agent)).toMatchObject({ state: 'shut', reason: 'this version was never tried' });
  expect((await world.client.message(message.id)).way).toBe('direct');
  expect(agent.submissions().filter((text) => text.includes(`#${message.id}`))).toHaveLength(1);
});
