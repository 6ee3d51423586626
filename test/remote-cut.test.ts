// The connection to another machine is cut in the middle of a delivery: the message arrives once and alone, and the draft that
// made way for it is back, with nobody on that machine to help but its tmux.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Message } from '../src/api/types.js';
import { Far, NO_SSHD } from './support/far.js';
import { fill, seenEmpty } from './support/fill.js';
import { newSeed, seeded } from './support/random.js';
import { until } from './support/tmux.js';
import { delivered, type TestAgent, World } from './support/world.js';

const STASH = `
programs: []
protocols: [{ protocol: direct }, { protocol: stash }]
stash: { key: C-s, taken: '› stashed' }
pace: { stepMs: 2, enterMs: 50 }
`;
const SENTINEL = `
programs: []
protocols: [{ protocol: direct }, { protocol: sentinel }]
cursorAtCaret: true
lineKeys: { start: { key: C-a, moves: line }, end: { key: C-e, moves: line }, killToEnd: { key: C-k, kills: line, joins: true }, echoMs: 50 }
pace: { stepMs: 2, enterMs: 50 }
`;

describe.skipIf(NO_SSHD)('a connection that is cut', () => {
  let far: Far;
  let world: World;
  beforeAll(async () => {
    far = new Far();
    await far.start();
    world = new World({ SM_SSH_CONFIG: far.config });
    world.profile('fake-stash', STASH);
    world.profile('fake-sentinel', SENTINEL);
    await world.begin();
    await world.client.addHost({ name: 'box', destination: 'far' });
  });
  afterAll(async () => {
    await world.dispose();
    await far.dispose();
  });

  async function agentWith(profile: 'stash' | 'sentinel', ...args: string[]): Promise<TestAgent> {
    const stash = profile === 'stash' ? ['--stash', 'C-s'] : [];
    const agent = await far.agent(world, 'box', [...stash, ...args], { agent: `fake-${profile}` });
    await seenEmpty(world, agent);
    return agent;
  }
  const submissions = (agent: TestAgent): string[] => agent.submissions().slice(1);
  const past = (agent: TestAgent, text: string): Promise<Message> =>
    world.send(agent, text, { past_draft: 'now' });

  async function expectSettled(agent: TestAgent, message: Message, draft: object): Promise<void> {
    const { receipt } = await world.submitted(message, 50);
    let now: object | undefined;
    const isBack = async (): Promise<boolean> => {
      now = await agent.draft();
      return JSON.stringify(now) === JSON.stringify(draft);
    };
    await until(isBack, 'the draft', 5000).catch(() => {});
    expect({ receipt, got: submissions(agent), now }).toEqual({
      receipt: 'submitted',
      got: [delivered(message)],
      now: draft,
    });
    await until(() => !far.holds, 'the keys to be free');
  }

  // The next one is made at once: before the watchdog over there lets the keys go.
  async function cutForAMoment(): Promise<void> {
    far.cut();
    await until(async () => (await world.client.hosts())[0]?.state !== 'up', 'the host to be down');
    await world.client.checkHost('box');
  }

  const STEPS = ['reading', 'typed', 'entered'] as const;

  test.each(STEPS)('for a moment, past a draft that is stashed, at: %s', async (step) => {
    const agent = await agentWith('stash', '--paint-every', '250');
    const person = await far.person(agent);
    const before = await fill(agent, person, { text: 'half\na thought', back: 4 });
    const message = await past(agent, 'hello\nthere');
    await until(() => far.stepOf(agent, message) === step, `the step ${step}`);
    await cutForAMoment();
    await expectSettled(agent, message, before);
  });

  test.each(STEPS)('for longer than keys may wait, at: %s', async (step) => {
    const agent = await agentWith('stash', '--paint-every', '250');
    const person = await far.person(agent);
    const before = await fill(agent, person, { text: 'half\na thought', back: 4 });
    const message = await past(agent, 'hello\nthere');
    await until(() => far.stepOf(agent, message) === step, `the step ${step}`);
    await far.stop();
    await until(() => !far.holds, 'the watchdog over there to let the keys go');
    await world.held(message, 'host_down');
    expect(await world.client.session(agent.session.id)).toMatchObject({ state: 'live', epoch: 1 });
    await far.listen();
    await world.client.checkHost('box');
    await expectSettled(agent, message, before);
    expect(await world.client.session(agent.session.id)).toMatchObject({ state: 'live', epoch: 1 });
  });

  test.each(STEPS)('the daemon is killed, and with it the connection, at: %s', async (step) => {
    const agent = await agentWith('stash', '--paint-every', '250');
    const person = await far.person(agent);
    const before = await fill(agent, person, { text: 'half\na thought', back: 4 });
    const message = await past(agent, 'hello\nthere');
    await until(() => far.stepOf(agent, message) === step, `the step ${step}`);
    await world.kill9();
    await world.startDaemon();
    await expectSettled(agent, message, before);
  });

  // ssh gives up after three questions, fifteen seconds apart.
  test('a connection that stands and is dead is given up, and what it left there is no stranger', {
    timeout: 150_000,
  }, async () => {
    const agent = await agentWith('stash');
    const person = await far.person(agent);
    const before = await fill(agent, person, { text: 'half\na thought', back: 4 });
    far.freeze();
    const message = await past(agent, 'good morning');
    const isDown = async (): Promise<boolean> =>
      (await world.client.session(agent.session.id)).host_down !== null;
    await until(isDown, 'the host to be down', 100_000);
    await world.client.checkHost('box');
    await expectSettled(agent, message, before);
    const clients = far.tmux(
      'list-clients',
      '-t',
      agent.session.tmux_session,
      '-F',
      '#{client_control_mode}',
    );
    expect(clients.split('\n').filter((line) => line === '1')).toHaveLength(1);
  });

  test('what a person types into the box while we are cut off stays theirs', async () => {
    const agent = await agentWith('stash', '--paint-every', '250');
    const person = await far.person(agent);
    const before = await fill(agent, person, { text: 'half\na thought', back: 4 });
    const message = await past(agent, 'hello\nthere');
    await until(() => far.stepOf(agent, message) === 'typed', 'our text to be in the box');
    await far.stop();
    person.send('!');
    await until(() => !far.holds, 'the watchdog over there to let the keys go');
    await far.listen();
    await world.client.checkHost('box');
    // Nobody can tell where our text ends: it is not sent, and what they had stashed is where it was.
    await world.held(message, 'box_not_read');
    expect(await agent.draft()).toMatchObject({ text: `${delivered(message)}!`, stash: before.text });
    expect(submissions(agent)).toEqual([]);
    // They take their key back: what is left is ours alone.
    person.send('\x7f');
    await expectSettled(agent, message, before);
  });

  test.each(['stash', 'sentinel'] as const)(
    'past a draft by %s, at any moment',
    { timeout: 180_000 },
    async (way) => {
      const seed = newSeed();
      const random = seeded(seed);
      console.log(`seed ${seed} (repeat with SM_SEED=${seed})`);
      for (let round = 0; round < 2; round++) {
        const agent = await agentWith(way, '--paint-every', String(Math.floor(random() * 200)));
        const person = await far.person(agent);
        const before = await fill(agent, person, { text: `my\ndraft ${round}`, back: 3 });
        const message = await past(agent, `hello ${round}`);
        await until(() => far.stepOf(agent, message) !== undefined, 'an attempt');
        await new Promise((resolve) => setTimeout(resolve, random() * 400));
        await cutForAMoment();
        await expectSettled(agent, message, before);
      }
    },
  );

  // A machine that is too busy to connect again within the seconds that keys may wait lets them go first.
  test.each(STEPS)(
    'for a moment, at: %s; keys that are pressed meanwhile come after the draft',
    { retry: 2 },
    async (step) => {
      const agent = await agentWith('stash', '--paint-every', '250');
      const person = await far.person(agent);
      const before = await fill(agent, person, { text: 'half\na thought', back: 4 });
      const message = await past(agent, 'hello\nthere');
      await until(() => far.stepOf(agent, message) === step, `the step ${step}`);
      person.send('XYZ');
      await cutForAMoment();
      const [text, caret] = ['half\na thoXYZught', before.caret + 3];
      await expectSettled(agent, message, { ...before, text, caret });
    },
  );
});
