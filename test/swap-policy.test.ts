// When mail may go past a draft: what the message, its session and the configuration say about it.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '../src/cli/demo/person.js';
import { fill, seenEmpty } from './support/fill.js';
import { delivered, type TestAgent, World } from './support/world.js';

const EDITOR = `
programs: []
protocols: [{ protocol: direct }, { protocol: editor }]
editor: { keys: [C-g], file: '*/fake-prompt-*.md', quietMs: 10, enterGapMs: 10, submittedMs: 10, restoredMs: 20 }
pace: { stepMs: 2, enterMs: 50 }
`;
const STALE_MS = 4000;
const PAUSE_MS = 500;

let world: World;
beforeAll(async () => {
  world = new World();
  world.profile('fake-editor', EDITOR);
  world.profile('fake-slow', EDITOR.replace('quietMs: 10', 'quietMs: 10, callMs: 5000'));
  fs.writeFileSync(
    path.join(world.home, 'config.yaml'),
    `input_stale_timeout: ${STALE_MS}ms\ntyping_pause: ${PAUSE_MS}ms\ntell_person: false\n`,
  );
  await world.begin();
});
afterAll(() => world.dispose());

const DRAFT = { text: 'a draft\nof mine', back: 4 };

async function drafted(agent = 'fake-editor'): Promise<{ agent: TestAgent; person: Person; at: number }> {
  const made = await world.agent('box', ['--editor', 'C-g'], { agent });
  await seenEmpty(world, made);
  const person = await world.person(made);
  await fill(made, person, DRAFT);
  return { agent: made, person, at: Date.now() };
}

async function passed(agent: TestAgent, message: Parameters<World['submitted']>[0]): Promise<number> {
  expect((await world.submitted(message)).receipt).toBe('submitted');
  const took = Date.now();
  expect(agent.submissions().slice(1)).toEqual([delivered(message)]);
  expect(await agent.draft()).toMatchObject({ text: DRAFT.text, caret: DRAFT.text.length - 4 });
  return took;
}

test('now: at once, while the person is still typing', async () => {
  const { agent, at } = await drafted();
  const took = await passed(agent, await world.send(agent, 'hello', { past_draft: 'now' }));
  expect(took - at).toBeLessThan(STALE_MS);
});

test('now: an agent that kept their keys waiting for seconds gets the next one when the person pauses', async () => {
  const agent = await world.agent('box', ['--editor', 'C-g', '--editor-delay', '1100'], {
    agent: 'fake-slow',
  });
  await seenEmpty(world, agent);
  const person = await world.person(agent);
  await fill(agent, person, DRAFT);
  const first = await world.send(agent, 'first', { past_draft: 'now' });
  await world.submitted(first);
  expect((await world.client.message(first.id)).held_ms).toBeGreaterThan(3000);
  // Types on, and takes it back.
  let over = false;
  const typing = (async () => {
    while (!over) await person.press('x', 'BSpace');
  })();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const second = await world.send(agent, 'second', { past_draft: 'now' });
  await world.held(second, 'user_typing');
  expect((await world.client.message(second.id)).held_detail).toContain('it waits for a pause');
  over = true;
  await typing;
  await world.submitted(second);
  expect(agent.submissions().slice(1)).toEqual([delivered(first), delivered(second)]);
  expect((await agent.draft()).text).toBe(DRAFT.text);
});

test('auto: once the person pauses; nobody is told where that is switched off', async () => {
  const { agent, person, at } = await drafted();
  const message = await world.send(agent, 'hello', { past_draft: 'auto' });
  await world.held(message, 'user_typing');
  const took = await passed(agent, message);
  expect(took - at).toBeGreaterThanOrEqual(PAUSE_MS - 100);
  expect(took - at).toBeLessThan(STALE_MS);
  expect(person.screen()).not.toContain('your draft');
});

test('stale: once nobody has touched it for so long; a key begins the time anew', async () => {
  const { agent, person } = await drafted();
  const message = await world.send(agent, 'hello', { past_draft: 'stale' });
  await world.held(message, 'draft');
  person.send('x');
  const touched = Date.now();
  person.send('\x7f');
  const took = await passed(agent, message);
  expect(took - touched).toBeGreaterThanOrEqual(STALE_MS - 1100);
});

test('never: only the person makes way', async () => {
  const { agent, person } = await drafted();
  const message = await world.send(agent, 'hello', { past_draft: 'never' });
  await world.held(message, 'draft');
  // Long after it is stale.
  await new Promise((resolve) => setTimeout(resolve, STALE_MS + 1500));
  expect((await world.client.message(message.id)).held).toBe('draft');
  expect(agent.submissions()).toHaveLength(1);
  person.send('\r');
  expect((await world.submitted(message)).receipt).toBe('submitted');
  expect(agent.submissions().slice(1)).toEqual([DRAFT.text, delivered(message)]);
});

test('a message says it before its session, and a session before the configuration', async () => {
  const { agent } = await drafted();
  const { code } = await world.sm(['set', agent.session.name, '--past-draft', 'never']);
  expect(code).toBe(0);
  const waits = await world.send(agent, 'hello');
  await world.held(waits, 'draft');
  await world.client.cancel(waits.id);
  await passed(agent, await world.send(agent, 'hello', { past_draft: 'now' }));
});
