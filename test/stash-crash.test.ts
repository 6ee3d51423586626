// The daemon is killed at every step of a delivery by the agent's own stash: the message arrives once and alone, the draft is
// back in its box with its caret, and no text of ours is taken for a person's.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message } from '../src/api/types.js';
import { fill, seenEmpty, type Wanted } from './support/fill.js';
import { newSeed, seeded } from './support/random.js';
import { until } from './support/tmux.js';
import { delivered, type TestAgent, World } from './support/world.js';

const PROFILE = `
programs: []
protocols: [{ protocol: direct }, { protocol: stash }]
stash: { key: C-s, taken: '› stashed' }
pace: { stepMs: 2, enterMs: 50 }
`;

let world: World;
beforeAll(async () => {
  world = new World();
  world.profile('fake-stash', PROFILE);
  await world.begin();
});
afterAll(() => world.dispose());

async function stashAgent(args: readonly string[]): Promise<TestAgent> {
  const agent = await world.agent('box', ['--stash', 'C-s', ...args], { agent: 'fake-stash' });
  await seenEmpty(world, agent);
  return agent;
}
const submissions = (agent: TestAgent): string[] => agent.submissions().slice(1);

// What tmux recorded with the last key of an attempt.
const stepOf = ({ session }: TestAgent, { id }: Message): string | undefined => {
  const entries = world.tmux('show-environment', '-g', '-h').split('\n');
  const entry = entries.find((one) => one.startsWith(`SM_AT_${session.pane.slice(1)}=`)) ?? '';
  return entry.includes(`.${id}.`) ? entry.split('.').at(-1) : undefined;
};

async function expectSettled(agent: TestAgent, message: Message, draft: object): Promise<void> {
  const { receipt } = await world.submitted(message, 40);
  let now: object | undefined;
  const isBack = async (): Promise<boolean> => {
    now = await agent.draft();
    return JSON.stringify(now) === JSON.stringify(draft);
  };
  await until(isBack, 'the draft', 5000).catch(() => {});
  const kept = await world.client.drafts({ session: agent.session.id, state: 'all' });
  const states = new Set(kept.map(({ state }) => state));
  expect({ receipt, got: submissions(agent), now, states }).toEqual({
    receipt: 'submitted',
    got: [delivered(message)],
    now: draft,
    states: new Set(['restored']),
  });
  for (const one of kept) expect(one.text).not.toContain(message.id);
}

// The draft is on the screen of every agent here: an agent cannot tell its test when it has painted.
const LATEST_PAINT_MS = 1000;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

// `sent`: Enter is pressed and taken, and the screen does not show it yet.
const STEPS = ['reading', 'typed', 'entered', 'sent'] as const;

// Each paints late: what the next daemon sees first is older than the last key of the one that died.
const KINDS: [string, string[], Wanted, string][] = [
  ['that paints late', ['--paint-every', '250'], { text: 'half a thought', back: 4 }, 'hello\nthere'],
  ['that paints very late', ['--paint-every', '900'], { text: 'one\n\n  two 中🙂\nthree', back: 9 }, 'hello'],
  [
    'with a low box',
    ['--paint-every', '250', '--box-rows', '3'],
    { text: 'a\nb\nc\nd\ne\nf', back: 6 },
    'more\nlines\nthan\nthe box has',
  ],
  [
    'that shows a label for a paste',
    ['--paint-every', '250', '--collapse', '30'],
    { text: 'short', back: 2 },
    'a text that is not shown',
  ],
  [
    'that makes a newline of an early Enter',
    ['--paint-every', '250', '--enter-gap', '450'],
    { text: 'my own\nprompt', back: 3 },
    'hello',
  ],
];
const CASES = KINDS.flatMap((kind) => STEPS.map((step) => [...kind, step] as const));

test.each(CASES)(
  'in an agent %s (%s, %j, %j), killed at: %s',
  {
    timeout: 90_000,
  },
  async (_what, args, wanted, text, step) => {
    const agent = await stashAgent(args);
    const person = await world.person(agent);
    const before = await fill(agent, person, wanted);
    await pause(LATEST_PAINT_MS);
    const message = await world.send(agent, text, { past_draft: 'now' });
    const isThere = (): boolean =>
      step === 'sent' ? submissions(agent).length > 0 : stepOf(agent, message) === step;
    await until(isThere, `the step ${step}`);
    await world.kill9();
    expect(stepOf(agent, message)).toBe(step === 'sent' ? 'entered' : step);
    // Their keys wait for the draft. After `reading` the next attempt begins right behind them, before they may show.
    const key = step === 'reading' ? '' : '!';
    person.send(key);
    await world.startDaemon();
    const { caret } = before;
    const after = `${before.text.slice(0, caret)}${key}${before.text.slice(caret)}`;
    await expectSettled(agent, message, { text: after, caret: caret + key.length, stash: null });
    // An early Enter becomes a newline there.
    await pause(LATEST_PAINT_MS);
    person.send('\r');
    await until(() => submissions(agent).length === 2, 'their own Enter');
    expect(submissions(agent)).toEqual([delivered(message), after]);
  },
);

const ROUNDS = 6;

test('killed at any moment, twice', { timeout: 40_000 * ROUNDS }, async () => {
  const seed = newSeed();
  const random = seeded(seed);
  console.log(`seed ${seed} (repeat with SM_SEED=${seed})`);
  for (let round = 0; round < ROUNDS; round++) {
    const agent = await stashAgent(['--paint-every', String(Math.floor(random() * 300))]);
    const person = await world.person(agent);
    const before = await fill(agent, person, { text: `my\ndraft ${round}`, back: 3 });
    await pause(LATEST_PAINT_MS);
    const message = await world.send(agent, `hello ${round}`, { past_draft: 'now' });
    for (let kills = 0; kills < 2; kills++) {
      await until(() => stepOf(agent, message) !== undefined, 'an attempt');
      await pause(random() * 600);
      await world.kill9();
      await world.startDaemon();
    }
    await expectSettled(agent, message, before);
  }
});
