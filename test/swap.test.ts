// Past a draft: the person's text is saved, our message goes in alone, and the text is back as it was.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from './support/tmux.js';
import { delivered, type TestAgent, World } from './support/world.js';

const EDITOR_PROFILE = `
programs: []
protocols: [{ protocol: direct }, { protocol: editor }]
editor: { keys: [C-g], file: '*/fake-prompt-*.md', quietMs: 10, enterGapMs: 10, submittedMs: 10, restoredMs: 20 }
pace: { stepMs: 2, enterMs: 50 }
`;

let world: World;
beforeAll(async () => {
  world = new World();
  world.profile('fake-editor', EDITOR_PROFILE);
  await world.begin();
});
afterAll(() => world.dispose());

const editorAgent = (...args: string[]): Promise<TestAgent> =>
  world.agent('box', ['--editor', 'C-g', ...args], { agent: 'fake-editor' });

describe('through the editor', () => {
  test('a message goes past a resting draft, which is back with its caret', async () => {
    const agent = await editorAgent();
    const person = await world.person(agent);
    await person.type('half a thought');
    await person.press('Left', 'Left', 'Left');
    const before = await until(async () => {
      const draft = await agent.draft();
      return draft.caret === 11 && draft;
    }, 'the draft to be there');
    const message = await world.send(agent, 'hello', { past_draft: 'now' });
    const after = await world.submitted(message);
    expect(after.receipt).toBe('submitted');
    expect(agent.submissions()).toEqual([delivered(message)]);
    expect(await agent.draft()).toEqual(before);
    const detail = await world.client.message(message.id);
    expect(detail).toMatchObject({ way: 'editor', held_ms: expect.any(Number), draft: expect.any(String) });
  });
});
