// The daemon is killed while a draft goes back later, after its delivery: the next one puts it back before it lets keys through.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fill, seenEmpty } from './support/fill.js';
import { until } from './support/tmux.js';
import { World } from './support/world.js';

const PROFILE = `
programs: []
protocols: [{ protocol: direct }, { protocol: editor }]
editor: { keys: [C-g], file: '*/fake-prompt-*.md', quietMs: 10, enterGapMs: 10, submittedMs: 10, restoredMs: 20, placeholder: '\\[Pasted text #\\d+' }
pace: { stepMs: 2, enterMs: 50 }
`;

let world: World;
beforeAll(async () => {
  world = new World();
  world.profile('fake-label', PROFILE);
  await world.begin();
});
afterAll(() => world.dispose());

test('keys that waited for it come behind it', { timeout: 60_000 }, async () => {
  const args = ['--editor', 'C-g', '--collapse', '200', '--editor-placeholder'];
  const agent = await world.agent('box', args, { name: 'later', agent: 'fake-label' });
  await seenEmpty(world, agent);
  const person = await world.person(agent);
  await world.kill9();
  await world.startDaemon({ SM_FAULT_AT: 'pressed:entered' });
  await fill(agent, person, { text: 'half a thought', back: 0 });
  const message = await world.send(agent, 'hello', { past_draft: 'now' });
  await world.ended();
  await until(() => agent.submissions().length === 2, 'the submission');
  // Handed over as a label: what the box holds cannot be known.
  world.tmux('set-buffer', '-b', 'folded', 'folded away '.repeat(30));
  world.tmux('paste-buffer', '-p', '-b', 'folded', '-t', agent.session.pane);
  await until(async () => (await agent.draft()).text.startsWith('folded'), 'the paste');
  await world.startDaemon();
  await world.held(message, 'box_not_read');
  await world.client.cancel(message.id);
  await world.kill9();
  world.tmux('send-keys', '-t', agent.session.pane, 'C-u');
  await until(async () => (await agent.draft()).text === '', 'the empty box');
  // On its way back the editor is called once more.
  await world.startDaemon({ SM_FAULT_AT: 'pressed:entered' });
  await world.ended();
  person.send('XYZ');
  await world.startDaemon();
  let draft = '';
  const isBack = async (): Promise<boolean> => {
    draft = (await agent.draft()).text;
    return draft === 'half a thoughtXYZ';
  };
  await until(isBack, 'the draft and the keys', 10_000).catch(() => {});
  expect(draft).toBe('half a thoughtXYZ');
  expect(await world.client.drafts({ state: 'open' })).toEqual([]);
});
