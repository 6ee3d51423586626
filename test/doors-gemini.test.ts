// Gemini's door on the real Gemini, with the hooks that `sm hooks install gemini` puts into its settings.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { briefing } from '../src/agents/briefing.js';
import { geminiHooks } from '../src/agents/gemini/hooks.js';
import { binFolder, type RealAgent, testsOf, waysOf } from './support/real-agent.js';

type Files = Record<string, Record<string, unknown>>;

// A hook of the user's at the end of a turn: as slow as this file says, once.
const SLOW = 'slow';
const slowHook = (cwd: string) => ({
  hooks: [
    { type: 'command', command: `cd '${cwd}' && [ -e ${SLOW} ] && sleep "$(cat ${SLOW}; rm ${SLOW})"; true` },
  ],
});

const test = testsOf('gemini', (subject) => {
  const files = subject.files as (context: { cwd: string }) => Files;
  subject.files = (context: { cwd: string }): Files => {
    const home = path.join(path.dirname(context.cwd), 'sm');
    const { AfterAgent = [], ...ours } = geminiHooks({ home, hooks: path.join(home, 'hooks') });
    const hooks = { ...ours, AfterAgent: [...AfterAgent, slowHook(context.cwd)] };
    const tools = { allowed: ['run_shell_command'] };
    const { '.gemini/settings.json': settings, ...others } = files(context);
    return { ...others, '.gemini/settings.json': { ...settings, hooks, tools } };
  };
  return () => {
    subject.files = files;
  };
});

// In the folder where it works.
const write = (gemini: RealAgent, name: string, text: string): void =>
  fs.writeFileSync(path.join(gemini.stage.place.cwd, name), text);

test('an idle one takes a message through its box, and its hook shows that it did', async (gemini) => {
  const message = await gemini.whenReceived(await gemini.send('while idle'));
  expect(message.way).not.toBe('door');
  expect(message.events.some(({ data }) => data.evidence === 'BeforeAgent hook')).toBe(true);
  // It was told about mail at its start. Its hook comes before it asks its model.
  await expect
    .poll(() => gemini.prompts()[0], { timeout: 20_000 })
    .toBe(`<hook_context>${briefing('here', { signals: true })}</hook_context>`);
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

test('an Escape inside a tool has no hook: the mail for the end of that turn comes by the box, once', async (gemini) => {
  await gemini.say('[[run sleep 60]]');
  await gemini.eventually(() => gemini.prompts().at(-1) === '[[run sleep 60]]', 'it runs a tool');
  const id = await gemini.send('after an Escape');
  await gemini.whenAccepted(id);
  // Longer than its pane may be silent: while the tool runs it is not.
  await delay(8000);
  expect((await gemini.message(id)).events.map(({ kind }) => kind)).not.toContain('returned');
  await gemini.stage.typist.press('Escape');
  const ways = waysOf(await gemini.whenReceived(id));
  expect(ways[0]).toBe('door');
  expect(ways.at(-1)).not.toBe('door');
  await gemini.stage.rest();
  expect(gemini.times('after an Escape')).toBe(1);
});

test('a hook of the user that is slow does not double it', async (gemini) => {
  await gemini.keepBusy('slow');
  const id = await gemini.send('beside a slow hook');
  await gemini.whenAccepted(id);
  // Longer than the time in which Gemini goes on by itself.
  write(gemini, SLOW, '12');
  gemini.release('slow');
  expect(waysOf(await gemini.whenReceived(id))).toEqual(['door']);
  await gemini.stage.rest();
  expect(gemini.times('beside a slow hook')).toBe(1);
});

test('a Gemini inside a tool of this one does not take its mail', async (gemini) => {
  const { url } = gemini.stage.model;
  const program = path.join(binFolder('gemini'), 'gemini');
  const inner = [
    `export GEMINI_API_KEY=none GOOGLE_GEMINI_BASE_URL='${url}'`,
    'until [ -e go ]; do sleep 0.1; done',
    `'${program}' -p 'said inside' >said 2>&1 </dev/null`,
  ];
  write(gemini, 'inner.sh', inner.join('\n'));
  await gemini.say('[[run sh inner.sh]]');
  await gemini.eventually(() => gemini.prompts().at(-1) === '[[run sh inner.sh]]', 'it runs a tool');
  const id = await gemini.send('for the outer one');
  await gemini.whenAccepted(id);
  write(gemini, 'go', '');
  await gemini.eventually(
    () => gemini.prompts().at(-1)?.includes('said inside') === true,
    'the inner one runs',
  );
  expect(waysOf(await gemini.whenReceived(id))).toEqual(['door']);
  await gemini.stage.rest();
  expect(gemini.times('for the outer one')).toBe(1);
  const inside = gemini.requests().filter(({ users }) => users.some((said) => said.includes('said inside')));
  expect(inside).toHaveLength(1);
  await gemini.whenStatus('idle');
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
