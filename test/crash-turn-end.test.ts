// The daemon ends while it writes down the end of a turn that took several messages: the next one knows it of all of them.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './support/tmux.js';
import { World } from './support/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.dispose());

// Its Stop hook is heard, and forgotten, before the registry says that the turn is over.
test.each(['write:done', 'written:done'])('%s', async (point) => {
  const { client } = world;
  const config = fs.mkdtempSync(path.join(world.folder, 'config-'));
  const agent = await world.agent('woken/cli', ['--rests', '1000'], {
    agent: 'claude',
    env: { CLAUDE_CONFIG_DIR: config },
  });
  const { id: session } = agent.session;
  await until(async () => (await client.session(session)).door?.state === 'open', 'its door to open');
  await world.kill9();
  await world.startDaemon({ SM_FAULT_AT: point });

  await client.update(session, { paused: true });
  const ids: string[] = [];
  for (const text of ['first', 'second', 'third']) {
    const { messages } = await client.send({ to: [session], text, from: { session } });
    ids.push(...messages.map(({ id }) => id));
  }
  await client.update(session, { paused: false });
  await world.ended();
  await world.startDaemon();
  for (const id of ids) await client.wait(id, { for: 'done', timeout: 20 });
  const ends = await Promise.all(ids.map(async (id) => (await client.message(id)).events?.at(-1)));
  const answer = expect.stringMatching(/^ok \d+$/);
  expect(ends).toMatchObject(ids.map(() => ({ kind: 'done', data: { how: 'completed', answer } })));
  expect(agent.deliveries()).toHaveLength(1);
  await client.kill(session);
});
