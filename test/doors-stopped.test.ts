// A hook of the user's stops a prompt that our hook was told of: nobody has received it, and nobody is busy with it.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './support/tmux.js';
import { World } from './support/world.js';

// Longer than a prompt that nothing shows is believed in.
const DOUBT_MS = 4000;

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.dispose());

test.each([[[]], [['--no-registry']]])('stopped: %j', async (args) => {
  const config = fs.mkdtempSync(path.join(world.folder, 'config-'));
  const agent = await world.agent('woken/cli', ['--stops', 'stop this', ...args], {
    agent: 'claude',
    env: { CLAUDE_CONFIG_DIR: config },
  });
  const session = () => world.client.session(agent.session.id);
  await until(async () => (await session()).door?.state === 'open', 'its door to open');
  const stopped = await world.send(agent, 'stop this');
  await world.submitted(stopped);
  await delay(DOUBT_MS);
  expect((await world.client.message(stopped.id)).receipt).toBe('submitted');
  expect((await session()).status.state).toBe('idle');
  const next = await world.send(agent, 'and go on');
  expect((await world.client.wait(next.id, { for: 'done', timeout: 20 })).receipt).toBe('done');
  expect((await world.client.message(stopped.id)).receipt).toBe('submitted');
});
