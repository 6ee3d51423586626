// The daemon is killed at random moments while messages flow: none is lost, none comes twice, order is kept.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NotRunning } from '../src/api/client.js';
import { newSeed, seeded } from './support/random.js';
import { until } from './support/tmux.js';
import { type TestAgent, World } from './support/world.js';

const MESSAGES = 200;
const SENDERS = 4;
const KILLS = 50;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.dispose());

// Sends like a careful client: after a broken connection it looks whether the message was stored before it sends again.
async function sendSurely(world: World, to: string, from: string, text: string): Promise<void> {
  for (;;) {
    try {
      await world.client.send({ to: [to], text, from: { name: from } });
      return;
    } catch (error) {
      if (!(error instanceof NotRunning) && (error as NodeJS.ErrnoException).code !== 'ECONNRESET')
        throw error;
    }
    const stored = await until(
      () => world.client.messages({ limit: 10_000 }).catch(() => undefined),
      'the daemon to answer',
    );
    if (stored.some((message) => message.text === text)) return;
  }
}

test(`${KILLS} kills while ${MESSAGES} messages flow to 5 agents`, { timeout: 300_000 }, async () => {
  const seed = newSeed();
  const random = seeded(seed);
  console.log(`seed ${seed} (repeat with SM_SEED=${seed})`);
  const agents: TestAgent[] = await Promise.all([
    world.agent('box', []),
    world.agent('box', ['--busy', '150']),
    world.agent('swallow', []),
    world.agent('collapse', ['--collapse', '10']),
    world.agent('box', ['--no-prompt', '--alt']),
  ]);
  const plan = Array.from({ length: MESSAGES }, (_, i) => {
    const agent = agents[Math.floor(random() * agents.length)] as TestAgent;
    return {
      sender: `sender${i % SENDERS}`,
      agent,
      text: `message ${i} from sender${i % SENDERS}${random() < 0.2 ? `\n${'long '.repeat(100)}` : ''}`,
    };
  });

  let flowing = true;
  const senders = Array.from({ length: SENDERS }, async (_, s) => {
    for (const { sender, agent, text } of plan) {
      if (sender !== `sender${s}`) continue;
      await sendSurely(world, agent.session.id, sender, text);
      await pause(random() * 150);
    }
  });
  const killer = (async () => {
    for (let kills = 0; kills < KILLS; kills++) {
      await pause(5 + random() * 250);
      await world.kill9();
      // Under load the watchdog of held keys may have been first.
      expect(await world.startDaemon()).toMatch(/^(ready|running)/);
    }
  })();
  await Promise.all([...senders, killer]).finally(() => {
    flowing = false;
  });
  expect(flowing).toBe(false);

  const total = (): number => agents.reduce((sum, agent) => sum + agent.submissions().length, 0);
  await until(
    async () => (await world.client.messages({ pending: true })).length === 0,
    'the queue to empty',
    90_000,
  ).catch(async (error) => {
    const stuck = await world.client.messages({ pending: true });
    const details = await Promise.all(stuck.slice(0, 5).map(({ id }) => world.client.message(id)));
    throw new Error(`${error.message}\n${JSON.stringify(details, null, 1)}`);
  });
  if (total() !== MESSAGES) {
    // What the agents took is the truth: show the life of whatever is missing or doubled.
    const stored = new Set((await world.client.messages({ limit: 10_000 })).map(({ text }) => text));
    console.log(
      'never stored:',
      plan.filter(({ text }) => !stored.has(text)).map(({ text }) => text.slice(0, 30)),
      stored.size,
    );
    for (const agent of agents)
      for (const text of agent.submissions())
        if (text.split('[Input from').length !== 2) {
          console.log('MERGED', agent.session.command.slice(1).join(' '), JSON.stringify(text).slice(0, 400));
          for (const [, id = ''] of text.matchAll(/#([0-9a-f]{12})/g))
            console.log(JSON.stringify((await world.client.message(id)).events));
        }
    const taken = agents.flatMap((agent) => agent.submissions()).join('\n');
    const wrong = (await world.client.messages({ limit: 10_000 })).filter(
      ({ id }) => taken.split(`#${id}`).length !== 2,
    );
    for (const { id } of wrong) console.log(JSON.stringify(await world.client.message(id)));
  }
  expect(total()).toBe(MESSAGES);

  const got = new Map(
    agents.map((agent) => [agent, agent.submissions().map((text) => text.slice(text.indexOf('\n') + 1))]),
  );
  for (const agent of agents) {
    for (let s = 0; s < SENDERS; s++) {
      const expected = plan
        .filter((one) => one.agent === agent && one.sender === `sender${s}`)
        .map(({ text }) => text);
      const arrived = got.get(agent)?.filter((text) => text.includes(`from sender${s}`));
      expect(arrived).toEqual(expected);
    }
  }
  const messages = await world.client.messages({ limit: 10_000 });
  expect(new Set(messages.map(({ receipt }) => receipt))).toEqual(new Set(['submitted']));
});
