// Beside hooks of the user's own: what they stop is not received, and nothing is lost by it.
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { type RealAgent, sleep, testsOf } from './support/real-agent.js';

const test = testsOf('claude');
// A running Claude Code picks up a change of its settings within two seconds.
const SETTINGS_MS = 4000;
// Long enough for a receipt that must not come.
const WATCH_MS = 4000;

const STOPS = `grep -q 'stop this' && echo '{"decision":"block","reason":"not now"}' || true`;
const settingsOf = (claude: RealAgent): string =>
  path.join(claude.stage.place.home, '.claude', 'settings.json');

test('a notice that a hook of the user stops: not received, and delivered once that hook lets it', async (claude) => {
  const settings = settingsOf(claude);
  const own = fs.readFileSync(settings, 'utf8');
  const hooks = { UserPromptSubmit: [{ hooks: [{ type: 'command', command: STOPS }] }] };
  fs.writeFileSync(settings, JSON.stringify({ ...JSON.parse(own), hooks }));
  await sleep(SETTINGS_MS);
  const before = await claude.whenDone(await claude.send('goes through'));
  const id = await claude.send('stop this');
  await claude.whenAccepted(id);
  await sleep(WATCH_MS);
  expect((await claude.message(id)).receipt).toBe('submitted');
  expect(await claude.status()).toBe('idle');
  const isReturned = async (): Promise<boolean> =>
    (await claude.message(id)).events.some(({ kind }) => kind === 'returned');
  await claude.eventually(isReturned, 'it is returned');
  expect(claude.times('stop this')).toBe(0);
  fs.writeFileSync(settings, own);
  await claude.whenDone(id);
  expect([claude.times('goes through'), claude.times('stop this')]).toEqual([1, 1]);
  expect((await claude.message(id)).turn).not.toBe(before.turn);
});
