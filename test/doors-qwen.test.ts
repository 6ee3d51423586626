// Qwen Code's door on the real agent, where it can be installed: idle, busy, a dialog, a killed daemon; once each, the draft untouched.
import { expect } from 'vitest';
import { testsOf } from './support/real-agent.js';
import { sharedDoorTests } from './support/real-door.js';

const test = testsOf('qwen');

sharedDoorTests(test);

test('killed right after the acknowledgement: received if its model has it, pending if not', async (agent) => {
  const id = await agent.send('letter to a dying one');
  await agent.eventually(async () => (await agent.message(id)).state !== 'pending', 'it is handed over');
  await agent.kill();
  await agent.eventually(async () => (await agent.client.session(agent.own.id)).state !== 'live', 'gone');
  const isKnown = async () => ['pending', 'settled'].includes((await agent.message(id)).state);
  await agent.eventually(isKnown, 'its fate is known');
  const { state, receipt } = await agent.message(id);
  const times = agent.times('letter to a dying one');
  expect({ state, receipt, times }).toEqual(
    state === 'pending'
      ? { state, receipt: 'queued', times: 0 }
      : { state: 'settled', receipt: expect.stringMatching(/^received|done$/), times: 1 },
  );
});

test('started again in the same pane: its door opens for the new one, and a letter comes once', async (agent) => {
  // tmux gives it no secrets again.
  agent.stage.place.tmux('set-environment', '-g', 'OPENAI_API_KEY', 'none');
  await agent.startAgain();
  await agent.whenDoor('open');
  const id = await agent.send('letter to the next one');
  await agent.whenDone(id);
  expect(agent.times('letter to the next one')).toBe(1);
});
