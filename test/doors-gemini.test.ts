// Gemini's door on the real Gemini, with the hooks that `sm hooks install gemini` puts into its settings.
import path from 'node:path';
import { expect } from 'vitest';
import { geminiHooks } from '../src/agents/gemini/hooks.js';
import { testsOf } from './support/real-agent.js';

type Files = Record<string, Record<string, unknown>>;

const test = testsOf('gemini', (subject) => {
  const files = subject.files as (context: { cwd: string }) => Files;
  subject.files = (context: { cwd: string }): Files => {
    const home = path.join(path.dirname(context.cwd), 'sm');
    const hooks = geminiHooks({ home, hooks: path.join(home, 'hooks') });
    const { '.gemini/settings.json': settings, ...others } = files(context);
    return { ...others, '.gemini/settings.json': { ...settings, hooks } };
  };
  return () => {
    subject.files = files;
  };
});

test('an idle one takes a message through its box, and its hook shows that it did', async (gemini) => {
  const message = await gemini.whenReceived(await gemini.send('while idle'));
  expect(message.way).not.toBe('door');
  expect(message.events.some(({ data }) => data.evidence === 'BeforeAgent hook')).toBe(true);
  await gemini.stage.rest();
});

test('a busy one takes it at the end of its turn, beside a draft', async (gemini) => {
  await gemini.keepBusy('one');
  await gemini.stage.typist.type('half a draft');
  const id = await gemini.send('at the end');
  await gemini.whenAccepted(id);
  gemini.release('one');
  expect((await gemini.whenReceived(id)).way).toBe('door');
  await expect.poll(() => gemini.times('at the end')).toBe(1);
  await gemini.stage.rest();
  expect(await gemini.stage.takeDraft()).toBe('half a draft');
});

test('what an interrupt makes it leave out is delivered once', async (gemini) => {
  await gemini.keepBusy('two');
  const id = await gemini.send('before an interrupt');
  await gemini.whenAccepted(id);
  await gemini.stage.typist.press('Escape');
  await gemini.whenReceived(id);
  await expect.poll(() => gemini.times('before an interrupt'), { timeout: 5000 }).toBe(1);
  await gemini.stage.rest();
});

test('a daemon that is killed between acknowledgement and receipt costs nothing', async (gemini) => {
  await gemini.keepBusy('crash');
  const id = await gemini.send('over a crash');
  await gemini.whenAccepted(id);
  await gemini.killDaemon();
  gemini.release('crash');
  await gemini.eventually(() => gemini.times('over a crash') === 1, 'it arrives');
  await gemini.startDaemon();
  await gemini.whenReceived(id);
  await gemini.stage.rest();
  expect(gemini.times('over a crash')).toBe(1);
});

test('one that is killed with mail that its hook has not taken has not received it', async (gemini) => {
  await gemini.keepBusy('last');
  const id = await gemini.send('when it dies');
  await gemini.whenAccepted(id);
  await gemini.kill();
  await gemini.whenState(id, 'pending');
  expect(gemini.times('when it dies')).toBe(0);
});
