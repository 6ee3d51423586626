// The daemon's connection to tmux breaks in the middle of a trial of keys: a person's keys wait until what it typed is out again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './support/tmux.js';
import { delivered, World } from './support/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.dispose());

// The daemon's client comes back by itself, and is cut again.
const CUT_MS = 1200;

// A machine that is too busy to connect again within the seconds that keys may wait lets them go first.
test('a trial that was cut', { timeout: 60_000, retry: 2 }, async () => {
  const agent = await world.agent('box', ['--paint-every', '200']);
  await world.submitted(await world.send(agent, 'first'));
  const person = await world.person(agent);
  // The second one finds a box that is known, and tries its keys.
  const message = await world.send(agent, 'second');
  await until(
    async () => (await agent.draft()).text !== '' && agent.submissions().length === 1,
    'a trial',
    10_000,
  );
  expect((await agent.draft()).text).not.toContain(message.id);
  person.send('XYZ');
  const format = '#{client_control_mode} #{client_name}';
  for (const end = Date.now() + CUT_MS; Date.now() < end; ) {
    const clients = world.tmux('list-clients', '-t', agent.session.tmux_session, '-F', format).split('\n');
    for (const [isControl, name = ''] of clients.map((line) => line.split(' ')))
      try {
        if (isControl === '1') world.tmux('detach-client', '-t', name);
      } catch {}
    await new Promise((resolve) => setImmediate(resolve));
  }
  let text = '';
  const isThere = async (): Promise<boolean> => {
    text = (await agent.draft()).text;
    return text === 'XYZ';
  };
  await until(isThere, 'the keys, and nothing else', 15_000).catch(() => {});
  expect(text).toBe('XYZ');
  expect(
    agent
      .submissions()
      .slice(1)
      .filter((one) => one !== delivered(message)),
  ).toEqual([]);
});
