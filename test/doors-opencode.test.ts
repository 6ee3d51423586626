// OpenCode's door on the real agent, where it can be installed: idle, busy, a dialog, a killed daemon; once each, the draft untouched.
import { expect } from 'vitest';
import { type RealAgent, testsOf, waysOf } from './support/real-agent.js';
import { sharedDoorTests } from './support/real-door.js';

const test = testsOf('opencode');

sharedDoorTests(test);

// Three of an agent and one of a person, all in the conversation of one that works until its hold is released.
async function postAll(agent: RealAgent, hold: string, to: string): Promise<string[]> {
  const ids: string[] = [];
  for (const n of [1, 2, 3]) ids.push(await agent.send(`${hold} ${n}`, { to: [to], mode: 'important' }));
  ids.push(await agent.send(`${hold} of a person`, { to: [to], mode: 'important', from: undefined }));
  for (const id of ids) await agent.whenAccepted(id);
  return ids;
}

test('the daemon is killed between acknowledgement and receipt: once, in order', async (agent) => {
  await agent.keepBusy('crash');
  const ids = await postAll(agent, 'crash', agent.own.id);
  await agent.killDaemon();
  agent.release('crash');
  await agent.eventually(() => agent.times('crash 3') === 1, 'they arrive');
  await agent.startDaemon();
  for (const id of ids) expect(waysOf(await agent.whenDone(id))).toEqual(['door']);
  expect(agent.lastLines(4)).toEqual(['crash 1', 'crash 2', 'crash 3', 'crash of a person']);
});

test('its process, which is its server too, is killed with mail unanswered: only its sender can tell', async (agent) => {
  await agent.keepBusy('server');
  const ids = await postAll(agent, 'server', agent.own.id);
  await agent.kill();
  for (const id of ids.slice(0, 3)) await agent.whenState(id, 'pending');
  await agent.whenState(ids[3] ?? '', 'settled');
  const fates = await Promise.all(
    ids.map(async (id) => (await agent.message(id)).events.map(({ kind }) => kind)),
  );
  for (const fate of fates.slice(0, 3)) expect(fate).toContain('again');
  expect(fates[3]).toContain('uncertain');
  const texts = ['server 1', 'server 2', 'server 3', 'server of a person'];
  expect(texts.map((text) => agent.times(text))).toEqual([0, 0, 0, 0]);
  // The next one in its pane, on the same port, gets what may be sent again, and that once.
  await agent.startAgain();
  for (const id of ids.slice(0, 3)) expect(waysOf(await agent.whenDone(id))).toEqual(['door', 'door']);
  expect(texts.map((text) => agent.times(text))).toEqual([1, 1, 1, 0]);
  expect(agent.lastLines(3)).toEqual(texts.slice(0, 3));
});

test('another one was begun and used while no daemon ran: mail comes into the conversation on its screen', async (agent) => {
  await agent.keepBusy('last');
  const ids = await postAll(agent, 'last', agent.own.id);
  await agent.killDaemon();
  agent.release('last');
  await agent.eventually(() => agent.times('last of a person') === 1, 'the one before has taken all');
  await agent.stage.rest();
  await agent.startAgain();
  await agent.say('a prompt of the person');
  await agent.eventually(() => agent.times('a prompt of the person') === 1, 'it is asked');
  await agent.startDaemon();
  await agent.whenDoor('open');
  // What the one before took stands in its records.
  for (const id of ids) expect(waysOf(await agent.whenReceived(id))).toEqual(['door']);
  const first = await agent.whenReceived(await agent.send('letter one to the next'));
  expect(agent.lastLines(2)).toEqual(['a prompt of the person', 'letter one to the next']);
  // From then on it is known which conversation that is.
  const second = await agent.whenDone(await agent.send('letter two to the next'));
  expect([waysOf(first).length, waysOf(second)]).toEqual([1, ['door']]);
  expect(agent.lastLines(3)).toEqual([
    'a prompt of the person',
    'letter one to the next',
    'letter two to the next',
  ]);
  expect(agent.times('last 1')).toBe(1);
});
