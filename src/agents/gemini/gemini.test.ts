// What Gemini is started with, when its door is shut, and what its records tell of it later.
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HookedGemini, ID, letter, PROMPT, TEXT } from '../../../test/support/gemini-hooks.js';
import type { LaunchContext } from '../door.js';
import { findInChat } from './chat-file.js';
import { geminiDoor } from './index.js';
import { launchGemini } from './launch.js';

let gemini: HookedGemini;
beforeEach(() => {
  gemini = new HookedGemini();
});
afterEach(() => gemini.close());

test('a version that was never tried has no door', () => {
  const unknown = geminiDoor.open({ ...gemini.context, version: '0.60.9' });
  gemini.hook('SessionStart', { source: 'startup' });
  expect(unknown.state.kind).toBe('shut');
});

test('without a hook it is shut and says what to do', async () => {
  await vi.advanceTimersByTimeAsync(21_000);
  expect(gemini.door.state).toMatchObject({
    kind: 'shut',
    reason: expect.stringContaining('sm hooks install gemini'),
  });
});

test.each([
  [['gemini'], 'read your mail', true],
  [['node', 'gemini.js', '-i', 'hello'], 'read your mail', true],
  [['gemini'], null, false],
  [['gemini', '-p', 'hello'], 'read your mail', false],
  [['gemini', 'mcp', 'list'], 'read your mail', false],
])('%j with the briefing %j is told about mail: %j', (command, briefing, isTold) => {
  const launched = launchGemini({ command, folder: gemini.folder, briefing } as unknown as LaunchContext);
  expect(launched).toEqual({ command, env: {} });
  expect(fs.existsSync(path.join(gemini.folder, 'SessionStart.say'))).toBe(isTold);
});

test('what waits for the hook of a process that is gone is taken back, and its chat tells of the rest', async () => {
  const { findLast } = geminiDoor;
  gemini.hook('BeforeAgent', { prompt: 'a prompt' });
  await gemini.door.send(letter);
  expect((await findLast?.(gemini.facts, ID))?.at).toBe('nowhere');
  expect(fs.existsSync(path.join(gemini.folder, 'AfterAgent.say'))).toBe(false);
  vi.useRealTimers();
  fs.writeFileSync(gemini.chat, `${PROMPT}\n`);
  expect((await findLast?.(gemini.facts, ID))?.at).toBe('received');
});

test('what was cancelled is no longer in its chat', async () => {
  vi.useRealTimers();
  const file = gemini.chat;
  const warning = JSON.stringify({ id: 'y', type: 'warning', content: TEXT });
  fs.writeFileSync(file, `${warning}\n`);
  expect((await findInChat(file, ID)).at).toBe('nowhere');
  fs.appendFileSync(file, `${PROMPT}\n{"$set":{"lastUpdated":"now"}}\n`);
  expect((await findInChat(file, ID)).at).toBe('received');
  fs.appendFileSync(file, '{"$set":{"messages":[]}}\n');
  expect((await findInChat(file, ID)).at).toBe('nowhere');
});
