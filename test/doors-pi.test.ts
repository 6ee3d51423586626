// pi's door on the real pi: what is sent arrives once, the draft is as it was, and nothing is lost when either side dies.
import { expect } from 'vitest';
import { testsOf } from './support/real-agent.js';

const test = testsOf('pi');

test('an idle one takes a message beside a draft', async (pi) => {
  await pi.stage.typist.type('half a draft');
  const message = await pi.whenReceived(await pi.send('while idle'));
  expect(message.way).toBe('door');
  await expect.poll(() => pi.times('while idle')).toBe(1);
  expect(await pi.stage.takeDraft()).toBe('half a draft');
});

test('a busy one takes five in order once its turn is over, and an important one before them', async (pi) => {
  await pi.keepBusy('one');
  const ids = [];
  for (const n of [1, 2, 3, 4, 5]) ids.push(await pi.send(`burst ${n}`));
  const important = await pi.send('important', { mode: 'important' });
  await pi.whenAccepted(important);
  expect((await pi.message(ids[0] as string)).state).toBe('pending');
  pi.release('one');
  for (const id of ids) await pi.whenReceived(id);
  const inOrder = ['important', 'burst 1', 'burst 2', 'burst 3', 'burst 4', 'burst 5'];
  await expect.poll(() => pi.lastLines(6), { timeout: 5000 }).toEqual(inOrder);
});

test('what pi drops into the box when a person interrupts is taken out of it and delivered once', async (pi) => {
  await pi.keepBusy('two');
  const id = await pi.send('dropped into the box', { mode: 'important' });
  await pi.whenAccepted(id);
  await pi.stage.typist.type('my own words');
  await pi.stage.typist.press('Escape');
  const message = await pi.whenReceived(id);
  expect(message.events.map(({ kind }) => kind)).toContain('returned');
  await expect.poll(() => pi.times('dropped into the box')).toBe(1);
  expect(await pi.stage.takeDraft()).toBe('my own words');
});

test('an urgent one stops the turn', async (pi) => {
  await pi.keepBusy('three');
  await pi.whenReceived(await pi.send('urgent', { mode: 'urgent' }));
  await expect.poll(() => pi.times('urgent')).toBe(1);
});

test('a daemon that is killed between acknowledgement and receipt costs nothing', async (pi) => {
  await pi.keepBusy('four');
  const id = await pi.send('over a crash', { mode: 'important' });
  await pi.whenAccepted(id);
  await pi.killDaemon();
  pi.release('four');
  await pi.stage.rest();
  await pi.startDaemon();
  await pi.whenReceived(id);
  await expect.poll(() => pi.times('over a crash')).toBe(1);
});

test('one that is killed with mail in its queue has not received it', async (pi) => {
  await pi.keepBusy('five');
  const id = await pi.send('when it dies', { mode: 'important' });
  await pi.whenAccepted(id);
  process.kill(await pi.pid(), 'SIGKILL');
  await pi.whenState(id, 'pending');
  expect(pi.times('when it dies')).toBe(0);
});
