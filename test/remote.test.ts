// Sessions on another machine: a real OpenSSH server, and a tmux behind it that knows nothing of us.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Far, NO_SSHD } from './support/far.js';
import { delivered, World } from './support/world.js';

describe.skipIf(NO_SSHD)('a machine that is reached over ssh', () => {
  let far: Far;
  let world: World;
  beforeAll(async () => {
    far = new Far();
    await far.start();
    world = await World.start({ SM_SSH_CONFIG: far.config });
    await world.client.addHost({ name: 'box', destination: 'far' });
  });
  afterAll(async () => {
    await world.dispose();
    await far.dispose();
  });

  test('is checked step by step', async () => {
    const { code, stdout } = await world.sm(['host', 'check', 'box']);
    expect(stdout).toMatch(/ok +tmux: tmux 3/);
    expect(stdout).not.toMatch(/failed|not tried/);
    expect(code).toBe(0);
    expect(await world.client.hosts()).toMatchObject([
      { name: 'box', destination: 'far', state: 'up', clock_skew: 0 },
    ]);
  });

  test('a program is started there, and takes its mail', async () => {
    const agent = await far.agent(world, 'box');
    expect(agent.session).toMatchObject({ host: 'box', host_down: null, state: 'live', socket: far.socket });
    expect(far.tmux('list-panes', '-a', '-F', '#{pane_id}')).toContain(agent.session.pane);
    const message = await world.send(agent, 'hello over there');
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(agent.submissions()).toEqual([delivered(message)]);
  });
});
