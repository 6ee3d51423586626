// Signals of the real Claude Code: what it is told, its shell, its dialogs, and a turn that fails.
import fs from 'node:fs';
import { expect } from 'vitest';
import { type RealAgent, testsOf } from './support/real-agent.js';

const test = testsOf('claude');

const said = async (claude: RealAgent): Promise<string[]> =>
  (await claude.client.signals({ session: claude.own.id })).map(
    ({ seq, door, state, message }) => `${seq} ${door} ${state} ${message}`,
  );
const eventually = (claude: RealAgent, expected: string[]): Promise<void> =>
  expect.poll(() => said(claude), { timeout: 20_000 }).toEqual(expected);

test('it is told how to signal; a question needs input, its own word follows, and a turn that fails is an error', async (claude) => {
  const line = fs.readFileSync(`/proc/${claude.own.program?.pid}/cmdline`, 'utf8');
  expect(line).toContain('run: sm signal STATE "one line about it"');
  await claude.say('[[run sm signal completed "by its shell"]]');
  await claude.whenStatus('waiting');
  await claude.eventually(() => claude.stage.dialogOpen(), 'its question is on the screen');
  await eventually(claude, ['1 hook needs_input permission prompt']);
  // A key that comes with the question is not taken for an answer.
  await claude.stage.rest(1000);
  await claude.stage.typist.press('Enter');
  await eventually(claude, ['1 hook needs_input permission prompt', '2 command completed by its shell']);
  await claude.whenStatus('idle');
  await claude.say('[[fail 400]]');
  await eventually(claude, [
    '1 hook needs_input permission prompt',
    '2 command completed by its shell',
    '3 hook error unknown',
  ]);
});

test('a question that is dismissed with Escape, or answered, asks no more, also once it rests', async (claude) => {
  const asking = async (): Promise<string[]> =>
    (await claude.client.attention()).sessions.map(({ state, message }) => `${state} ${message}`);
  for (const key of ['Escape', 'Enter']) {
    await claude.say('[[run touch made]]');
    await claude.whenStatus('waiting');
    await claude.eventually(() => claude.stage.dialogOpen(), 'its question is on the screen');
    await expect.poll(asking, { timeout: 20_000 }).toEqual(['needs_input permission prompt']);
    // A key that comes with the question is not taken for an answer.
    await claude.stage.rest(1000);
    await claude.stage.typist.press(key);
    await claude.whenStatus('idle');
    expect(await asking()).toEqual([]);
  }
});
