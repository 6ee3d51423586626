// Qwen Code's door on the real agent, where it can be installed: idle, busy, a dialog, a killed daemon; once each, the draft untouched.
import { expect } from 'vitest';
import { testsOf } from './support/real-agent.js';

const test = testsOf('qwen');

test('idle: received with its turn and done with the answer; the draft stays', async (agent) => {
  const { stage } = agent;
  await stage.typist.type('half a draft');
  const { events } = await agent.whenDone(await agent.send('idle letter'));
  expect(events.find(({ kind }) => kind === 'done')?.data.answer).toMatch(/^ok/);
  expect(agent.times('idle letter')).toBe(1);
  expect(await stage.takeDraft()).toBe('half a draft');
});

test('busy: each waits for its turn, in order, once', async (agent) => {
  const { stage } = agent;
  await agent.say('[[hold busy]] work');
  await agent.whenStatus('busy');
  const ids = [await agent.send('letter one'), await agent.send('letter two')];
  await stage.rest(1000);
  expect(agent.times('letter one')).toBe(0);
  stage.model.release('busy');
  for (const id of ids) await agent.whenDone(id);
  for (const text of ['letter one', 'letter two']) expect(agent.times(text)).toBe(1);
});

test('a dialog: nothing is answered, and the letter comes after it', async (agent) => {
  const { stage } = agent;
  await agent.say('[[run touch asked]] please');
  await agent.whenStatus('waiting');
  const id = await agent.send('letter at the dialog', { mode: 'important' });
  await stage.rest(1500);
  expect(stage.dialogOpen()).toBe(true);
  await stage.typist.press('Enter');
  await agent.whenDone(id);
  expect(agent.times('letter at the dialog')).toBe(1);
});

test('the daemon is killed while it hands over: once', async (agent) => {
  const id = await agent.send('letter of a dead daemon');
  await agent.killDaemon();
  await agent.startDaemon();
  await agent.whenDone(id);
  expect(agent.times('letter of a dead daemon')).toBe(1);
});

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
