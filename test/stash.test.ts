// Past a draft by the agent's own stash: it puts the draft aside, takes our message, and brings the draft back itself.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fill, seenEmpty } from './support/fill.js';
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

// The key acts only where the empty box is known.
async function stashAgent(...args: string[]): Promise<TestAgent> {
  const agent = await world.agent('box', ['--stash', 'C-s', ...args], { agent: 'fake-stash' });
  await seenEmpty(world, agent);
  return agent;
}
const submissions = (agent: TestAgent): string[] => agent.submissions().slice(1);
const past = (agent: TestAgent) => world.send(agent, 'hello\nthere', { past_draft: 'now' });
const count = (agent: TestAgent, ev: string): number =>
  agent.events().filter((event) => event.ev === ev).length;

test.each<[string, string[], { text: string; back: number }]>([
  ['of one line', [], { text: 'half a thought', back: 4 }],
  ['of several lines', [], { text: 'one\n\n  two 中🙂\nthree', back: 9 }],
  ['with the caret in a blank first line', [], { text: '\nbelow', back: 6 }],
  ['higher than the box', ['--box-rows', '3'], { text: 'a\nb\nc\nd\ne\nf', back: 6 }],
  [
    'with a collapsed paste',
    ['--collapse', '12'],
    { text: 'a long paste that is shown as a label', back: 0 },
  ],
  ['in an agent that is at work', ['--busy', '400'], { text: 'next\nthing', back: 2 }],
  [
    'in an agent that makes a newline of an early Enter',
    ['--enter-gap', '150'],
    { text: 'one\ntwo', back: 2 },
  ],
  ['in an agent that paints late', ['--paint-every', '250'], { text: 'slow\nscreen', back: 2 }],
])('a draft %s is back with its caret', async (_what, args, wanted) => {
  const agent = await stashAgent(...args);
  const person = await world.person(agent);
  const before = await fill(agent, person, wanted);
  const message = await past(agent);
  expect((await world.submitted(message)).receipt).toBe('submitted');
  expect(submissions(agent)).toEqual([delivered(message)]);
  expect(await agent.draft()).toEqual(before);
  const detail = await world.client.message(message.id);
  expect(detail).toMatchObject({ way: 'stash', held_ms: expect.any(Number), draft: expect.any(String) });
  expect(await world.client.draft(detail.draft ?? '')).toMatchObject({ state: 'restored', proof: 'look' });
});

test('a message with the word that tells of a stash is not sent that way: it could not be told from one', async () => {
  const agent = await stashAgent();
  const person = await world.person(agent);
  const before = await fill(agent, person, { text: 'mine', back: 0 });
  const message = await world.send(agent, 'I › stashed my changes', { past_draft: 'now' });
  await world.held(message, 'draft_unreadable');
  expect(await agent.draft()).toEqual(before);
  expect(submissions(agent)).toEqual([]);
});

test('a stash that the person uses is left to them', async () => {
  const agent = await stashAgent();
  const person = await world.person(agent);
  await fill(agent, person, { text: 'put aside', back: 0 });
  person.send('\x13');
  await until(async () => (await agent.draft()).stash === 'put aside', 'the stash');
  const before = await fill(agent, person, { text: 'another', back: 2 });
  expect(before.stash).toBe('put aside');
  const message = await past(agent);
  await world.held(message, 'stash_taken');
  expect(await agent.draft()).toEqual(before);
  expect(submissions(agent)).toEqual([]);
  person.send('\r');
  await until(() => submissions(agent).length > 0, 'their prompt');
  await world.submitted(message);
  expect(submissions(agent)).toEqual(['another', delivered(message)]);
  expect(await agent.draft()).toMatchObject({ text: 'put aside', stash: null });
});

test('a dialog is not answered, and the draft behind it stays', async () => {
  const agent = await stashAgent();
  const person = await world.person(agent);
  const before = await fill(agent, person, { text: 'while you work', back: 3 });
  process.kill(agent.pid(), 'SIGUSR1');
  await until(() => count(agent, 'dialog') === 1, 'the dialog');
  const message = await past(agent);
  await world.held(message, 'not_at_prompt');
  expect(await agent.draft()).toEqual(before);
  expect([count(agent, 'approve'), count(agent, 'deny')]).toEqual([0, 0]);
  await person.press('Escape');
  expect((await world.submitted(message)).receipt).toBe('submitted');
  expect(submissions(agent)).toEqual([delivered(message)]);
  expect(await agent.draft()).toEqual(before);
});

test('keys pressed meanwhile come after it, Enter too', async () => {
  const agent = await stashAgent('--paint-every', '100');
  const person = await world.person(agent);
  await fill(agent, person, { text: 'my own\nprompt', back: 2 });
  const message = await past(agent);
  await until(async () => (await agent.draft()).stash !== null, 'the stash');
  person.send('!\r');
  person.send('next');
  await until(() => submissions(agent).length === 2, 'both submissions');
  expect(submissions(agent)).toEqual([delivered(message), 'my own\nprom!pt']);
  await until(async () => (await agent.draft()).text === 'next', 'what was typed after it');
});
