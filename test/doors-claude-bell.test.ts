// Claude Code's doorbell where something fails: the text comes once and whole, whoever is killed and whatever is turned off.
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { MessageWithEvents } from '../src/api/types.js';
import { type RealAgent, sleep, testsOf } from './support/real-agent.js';

const test = testsOf('claude');
// A running Claude Code picks up a change of its settings within two seconds.
const SETTINGS_MS = 4000;
// From before the first key to after the receipt.
const KILLED_AFTER_MS = [5, 30, 60, 100, 150, 250];

const long = (name: string): string => Array.from({ length: 40 }, (_, n) => `${name} ${n}`).join('\n');
const bells = ({ events }: MessageWithEvents): boolean[] =>
  events.filter(({ kind }) => kind === 'attempt').map(({ data }) => 'bell' in data);
const kinds = ({ events }: MessageWithEvents): string[] => events.map(({ kind }) => kind);
const left = (claude: RealAgent): string[] =>
  fs.readdirSync(path.join(claude.stage.place.env.SM_HOME, 'doors', claude.own.id, 'UserPromptSubmit.for'));

// Its transcript begins with its first prompt, and without one nothing is rung for.
test('the first prompt of all is typed whole', async (claude) => {
  const message = await claude.whenReceived(await claude.send(long('first'), { from: undefined }));
  expect(bells(message)).toEqual([false]);
  await claude.eventually(() => claude.times(long('first')) === 1, 'it arrives');
  await claude.whenStatus('idle');
});

test('the daemon is killed at any moment: the text comes once, with its bell, and is known to be received', async (claude) => {
  for (const ms of KILLED_AFTER_MS) {
    const text = long(`killed after ${ms}`);
    const id = await claude.send(text, { from: undefined });
    await sleep(ms);
    await claude.killDaemon();
    await claude.startDaemon();
    const message = await claude.whenReceived(id);
    expect(message.evidence).toBe('transcript: hook_additional_context');
    await claude.eventually(() => claude.times(text) === 1, 'it arrives');
    expect(kinds(message)).not.toContain('returned');
    await claude.whenStatus('idle');
    expect(left(claude)).toEqual([]);
  }
  for (const ms of KILLED_AFTER_MS) expect(claude.times(long(`killed after ${ms}`))).toBe(1);
});

test('hooks are turned off meanwhile: a bell alone is not received, the whole text follows once', async (claude) => {
  const settings = path.join(claude.stage.place.home, '.claude', 'settings.json');
  const own = JSON.parse(fs.readFileSync(settings, 'utf8'));
  fs.writeFileSync(settings, JSON.stringify({ ...own, disableAllHooks: true }));
  await sleep(SETTINGS_MS);
  const message = await claude.whenReceived(await claude.send(long('deaf'), { from: undefined }));
  expect(bells(message)).toEqual([true, false]);
  const order = kinds(message);
  expect(order.indexOf('received')).toBeGreaterThan(order.indexOf('returned'));
  expect(message.evidence).toBe('transcript: user, typed');
  expect(left(claude)).toEqual([]);
  // Until a hook is heard again nothing is rung for.
  const next = await claude.whenReceived(await claude.send(long('typed'), { from: undefined }));
  expect(bells(next)).toEqual([false]);
  await claude.stage.rest();
  expect([claude.times(long('deaf')), claude.times(long('typed'))]).toEqual([1, 1]);
  fs.writeFileSync(settings, JSON.stringify(own));
  await sleep(SETTINGS_MS);
  await claude.say('hello');
  const heard = async (): Promise<boolean> => {
    await claude.whenStatus('idle');
    const id = await claude.send(long('again'), { from: undefined });
    return bells(await claude.whenReceived(id))[0] === true;
  };
  await claude.eventually(heard, 'it is rung for again');
});
