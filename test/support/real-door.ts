// What every door that hands over one message at a time has to do on the real agent, beside a draft and at a dialog.
import { expect } from 'vitest';
import type { testsOf } from './real-agent.js';

export function sharedDoorTests(test: ReturnType<typeof testsOf>): void {
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
}
