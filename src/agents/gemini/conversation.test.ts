// Whose hooks are heard: those of the conversation that the pane shows.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HookedGemini, letter, now } from '../../../test/support/gemini-hooks.js';
import { ageOf, startOf } from './process-start.js';

let gemini: HookedGemini;
beforeEach(() => {
  gemini = new HookedGemini();
});
afterEach(() => gemini.close());

describe('which conversation is that of the pane', () => {
  const inner = { session_id: 'inner', transcript_path: '' };

  test('hooks of a process that was there before are not heard', () => {
    gemini.hookAt(1, 'BeforeAgent', { session_id: 'before', prompt: 'a prompt' });
    expect(gemini.events).toEqual([]);
    gemini.hook('SessionStart', { source: 'startup' });
    expect(gemini.kinds()).toEqual(['changed', 'idle']);
  });

  // Where the system does not tell since when a process runs.
  test('a start replaces what was heard of one that is gone, and its mail comes back', async () => {
    gemini.reopen({ program: { pid: 2 ** 30, argv: [] } });
    gemini.hookAt(1, 'BeforeAgent', { session_id: 'before', prompt: 'a prompt' });
    await gemini.door.send(letter);
    gemini.hook('SessionStart', { source: 'startup' });
    expect(gemini.kinds().slice(-2)).toEqual(['returned', 'idle']);
    gemini.hook('BeforeAgent', { prompt: 'a prompt' });
    expect(gemini.door.carries(letter).kind).toBe('now');
  });

  test('one that is started inside a tool is not, from its start to its end', async () => {
    gemini.hook('SessionStart', { source: 'startup' });
    gemini.hook('BeforeAgent', { prompt: 'a prompt' });
    await gemini.door.send(letter);
    gemini.events = [];
    gemini.hook('SessionStart', { ...inner, source: 'startup' });
    gemini.hook('BeforeAgent', { ...inner, prompt: 'x' });
    gemini.hook('AfterAgent', { ...inner, prompt_response: 'y' });
    gemini.hook('SessionEnd', { ...inner, reason: 'exit' });
    expect(gemini.events).toEqual([]);
    gemini.handAtEnd();
    expect(gemini.kinds()).toContain('turn_ended');
  });

  test('one that was heard first and has ended was not', () => {
    gemini.hook('AfterTool', inner);
    gemini.hook('SessionEnd', { ...inner, reason: 'exit' });
    gemini.hook('AfterTool');
    expect(gemini.facts.conversation).toBe('one');
  });

  test('one that the person begins or chooses is, and mail for the one before comes back', async () => {
    gemini.hook('SessionStart', { source: 'startup' });
    gemini.hook('BeforeAgent', { prompt: 'a prompt' });
    await gemini.door.send(letter);
    gemini.hook('SessionStart', { session_id: 'cleared', source: 'clear' });
    expect(gemini.kinds().slice(-2)).toEqual(['returned', 'idle']);
    // Gemini has no hook for this.
    gemini.hook('BeforeAgent', { session_id: 'chosen', prompt: 'a prompt' });
    expect(gemini.facts.conversation).toBe('chosen');
    expect(gemini.door.carries(letter).kind).toBe('now');
  });
});

test('a permission that is asked for is known, and a Gemini inside a tool is not heard', () => {
  gemini.hook('BeforeAgent', { prompt: 'a prompt' });
  gemini.hook('Notification', { notification_type: 'ToolPermission' });
  expect(gemini.kinds().at(-1)).toBe('waiting');
  gemini.hook('AfterAgent', { session_id: 'inner', prompt_response: 'x' });
  expect(gemini.kinds().at(-1)).toBe('waiting');
});

test.each([
  ['00:05', 5],
  ['01:02:03', 3723],
  [' 2-00:00:01\n', 172_801],
])('%s is an age', (etime, seconds) => expect(ageOf(etime)).toBe(seconds * 1000));

test('the start of a process is told, and never too late', () => {
  const lived = now() - (startOf(process.pid, now()) ?? 0);
  expect(lived).toBeGreaterThanOrEqual(process.uptime() * 1000);
  expect(lived).toBeLessThan(process.uptime() * 1000 + 5000);
  expect(startOf(2 ** 30, now())).toBeUndefined();
});
