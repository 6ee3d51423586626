// After a crash, a box that cannot be read is looked into now and then, however much its agent prints.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './support/tmux.js';
import { type TestAgent, World } from './support/world.js';

const PROFILE = `
programs: []
protocols: [{ protocol: direct }, { protocol: editor }]
editor: { keys: [C-g], file: '*/fake-prompt-*.md', quietMs: 10, enterGapMs: 10, submittedMs: 10, restoredMs: 20, placeholder: '\\[Pasted text #\\d+' }
pace: { stepMs: 2, enterMs: 50 }
`;
const WINDOW_MS = 6000;
// One at once, and one every two seconds.
const MOST_LOOKS = 4;

let world: World;
beforeAll(async () => {
  world = new World();
  world.profile('fake-label', PROFILE);
  await world.begin();
});
afterAll(() => world.dispose());

async function looks(agent: TestAgent): Promise<number> {
  const from = Date.now();
  const calls = (): number => agent.events().filter(({ ev, t }) => ev === 'editor' && t >= from).length;
  await until(() => Date.now() > from + WINDOW_MS, 'the time to be over', 2 * WINDOW_MS);
  return calls();
}

test('of an attempt that was cut off, and of the draft that it left', async () => {
  const args = [
    '--editor',
    'C-g',
    '--collapse',
    '200',
    '--editor-placeholder',
    '--redraw',
    '40',
    '--tear',
    '0',
  ];
  const agent = await world.agent('box', args, { name: 'restless', agent: 'fake-label' });
  await world.kill9();
  await world.startDaemon({ SM_FAULT_AT: 'pressed:entered' });
  world.tmux('send-keys', '-t', agent.session.pane, 'half a thought');
  await until(async () => (await agent.draft()).text === 'half a thought', 'the draft');
  const message = await world.send(agent, 'hello', { past_draft: 'now' });
  await world.ended();
  await until(() => agent.submissions().length === 1, 'the submission');
  // Handed over as a label: what the box holds cannot be known.
  world.tmux('set-buffer', '-b', 'folded', 'folded away '.repeat(30));
  world.tmux('paste-buffer', '-p', '-b', 'folded', '-t', agent.session.pane);
  await until(async () => (await agent.draft()).text.startsWith('folded'), 'the paste');
  await world.kill9();
  await world.startDaemon();
  await world.held(message, 'box_not_read');
  const ofAttempt = await looks(agent);
  expect(ofAttempt).toBeGreaterThan(0);
  expect(ofAttempt).toBeLessThanOrEqual(MOST_LOOKS);
  await world.client.cancel(message.id);
  const [draft] = await world.client.drafts({ state: 'open' });
  expect(draft?.state).toBe('saved');
  const ofDraft = await looks(agent);
  expect(ofDraft).toBeGreaterThan(0);
  expect(ofDraft).toBeLessThanOrEqual(MOST_LOOKS);
  expect((await agent.draft()).text).toBe('folded away '.repeat(30));
});
