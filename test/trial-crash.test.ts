// The daemon is killed in the middle of a trial of keys, and is not back before the held keys are freed: what the trial typed is
// taken out of the box all the same, and no message goes behind it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './support/tmux.js';
import { delivered, World } from './support/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.dispose());

// The hold of a trial lasts ten seconds; then the watchdog waits for a rescuer.
const FREED_MS = 40_000;

test('a trial that was cut off', { timeout: 90_000 }, async () => {
  const agent = await world.agent('box', ['--paint-every', '200']);
  await world.submitted(await world.send(agent, 'first'));
  // The second one finds a box that is known, and tries its keys.
  const message = await world.send(agent, 'second');
  await until(
    async () => (await agent.draft()).text !== '' && agent.submissions().length === 1,
    'a trial',
    10_000,
  );
  const { text } = await agent.draft();
  await world.kill9();
  expect(text).not.toContain(message.id);
  const isHeld = (): boolean => /SMHOLD_\w+T=\w/.test(world.tmux('show-environment', '-g', '-h'));
  await until(() => !isHeld(), 'the keys to be freed', FREED_MS);
  await world.startDaemon();
  expect((await world.submitted(message, 40)).receipt).toBe('submitted');
  expect(agent.submissions().slice(1)).toEqual([delivered(message)]);
  expect((await agent.draft()).text).toBe('');
});
