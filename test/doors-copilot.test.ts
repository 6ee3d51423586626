// Copilot's door on the real Copilot: what is sent arrives once, no dialog is answered, and the draft is as it was.
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { testsOf, waysOf } from './support/real-agent.js';

const test = testsOf('copilot');

test('an idle one takes a message beside a draft, and nothing of the user’s is changed', async (copilot) => {
  await copilot.stage.typist.type('half a draft');
  const message = await copilot.whenReceived(await copilot.send('while idle'));
  expect(message.way).toBe('door');
  await expect.poll(() => copilot.times('while idle')).toBe(1);
  await copilot.stage.rest();
  expect(await copilot.stage.takeDraft()).toBe('half a draft');
  const { cwd, home } = copilot.stage.place;
  expect(fs.readdirSync(cwd)).toEqual([]);
  expect(fs.existsSync(path.join(home, '.copilot/settings.json'))).toBe(false);
});

test('a busy one takes three in order after its turn, and an important one before them', async (copilot) => {
  await copilot.keepBusy('one');
  const ids = [];
  for (const n of [1, 2, 3]) ids.push(await copilot.send(`burst ${n}`));
  await copilot.whenAccepted(await copilot.send('important', { mode: 'important' }));
  for (const id of ids) await copilot.whenAccepted(id);
  copilot.release('one');
  for (const id of ids) await copilot.whenReceived(id);
  const inOrder = ['important', 'burst 1', 'burst 2', 'burst 3'];
  await expect.poll(() => copilot.lastLines(4), { timeout: 5000 }).toEqual(inOrder);
  await copilot.stage.rest();
});

test('a dialog stays open, and its agent is known to wait', async (copilot) => {
  const made = path.join(copilot.stage.place.folder, 'made');
  await copilot.stage.typist.submit(`[[run touch ${made}]]`);
  await expect.poll(() => copilot.stage.dialogOpen(), { timeout: 10_000 }).toBe(true);
  await expect.poll(() => copilot.status(), { timeout: 5000 }).toBe('waiting');
  const sequential = await copilot.send('at a dialog');
  const urgent = await copilot.send('urgent at a dialog', { mode: 'urgent' });
  await copilot.whenAccepted(sequential);
  await expect.poll(async () => (await copilot.message(urgent)).held ?? null).toBe('agent_waits');
  expect(copilot.stage.dialogOpen()).toBe(true);
  expect(fs.existsSync(made)).toBe(false);
  await copilot.stage.typist.press('Enter');
  for (const id of [sequential, urgent]) await copilot.whenReceived(id);
  expect(fs.existsSync(made)).toBe(true);
  await copilot.stage.rest();
});

test('a daemon that is killed between acknowledgement and receipt costs nothing', async (copilot) => {
  await copilot.keepBusy('crash');
  const id = await copilot.send('over a crash');
  await copilot.whenAccepted(id);
  await copilot.killDaemon();
  copilot.release('crash');
  await copilot.eventually(() => copilot.times('over a crash') === 1, 'it arrives');
  await copilot.startDaemon();
  await copilot.whenReceived(id);
  await copilot.stage.rest();
  expect(copilot.times('over a crash')).toBe(1);
});

test('one that is killed with mail in its queue has not received it, and the next one in the pane does', async (copilot) => {
  await copilot.keepBusy('two');
  const id = await copilot.send('when it dies');
  await copilot.whenAccepted(id);
  process.kill(await copilot.pid('child'), 'SIGKILL');
  await copilot.whenState(id, 'pending');
  expect(copilot.times('when it dies')).toBe(0);
  const { place, session } = copilot.stage;
  // A door that opens slowly is not waited for: its mail would go through the box.
  await copilot.client.update(copilot.own.id, { paused: true });
  place.tmux('respawn-pane', '-t', session.pane);
  await copilot.whenDoor('open');
  await copilot.client.update(copilot.own.id, { paused: false });
  expect(waysOf(await copilot.whenReceived(id))).toEqual(['door', 'door']);
  await copilot.stage.rest();
  expect(copilot.times('when it dies')).toBe(1);
});
