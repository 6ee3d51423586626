// What waits for the end of a turn, what proves it was taken, and what brings it back.
import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HookedGemini, ID, letter, MINUTES, now, PROMPT, TEXT } from '../../../test/support/gemini-hooks.js';

let gemini: HookedGemini;
beforeEach(() => {
  gemini = new HookedGemini();
});
afterEach(() => gemini.close());

describe('a message', () => {
  test('needs another way when no turn runs', () => {
    gemini.hook('SessionStart', { source: 'startup' });
    expect(gemini.door.state.kind).toBe('open');
    expect(gemini.door.carries(letter).kind).toBe('no');
  });

  test('waits for the end of the turn, one at a time, and can be taken back', async () => {
    gemini.hook('BeforeAgent', { prompt: 'a prompt' });
    expect((await gemini.door.send(letter)).outcome).toBe('accepted');
    expect(gemini.door.carries(letter).kind).toBe('later');
    expect((await gemini.door.find(ID)).at).toBe('queue');
    expect(await gemini.door.withdraw(ID)).toBe(true);
    expect((await gemini.door.find(ID)).at).toBe('nowhere');
  });

  test('is received when its turn has given an answer', async () => {
    gemini.hook('BeforeAgent', { prompt: 'a prompt' });
    await gemini.door.send(letter);
    gemini.handAtEnd();
    gemini.hook('BeforeAgent', { prompt: TEXT });
    expect(gemini.kinds()).not.toContain('received');
    gemini.hook('AfterAgent', { prompt_response: 'one \ntwo ', stop_hook_active: true });
    expect(gemini.events.find(({ kind }) => kind === 'received')).toMatchObject({ id: ID });
    expect(gemini.events.findLast(({ kind }) => kind === 'turn_ended')).toMatchObject({
      answer: 'two',
      how: 'completed',
    });
    expect(gemini.kinds().at(-1)).toBe('idle');
    // Its chat file may be behind.
    expect((await gemini.door.find(ID)).at).toBe('received');
  });

  test('is returned when the hook came too early for it', async () => {
    gemini.hook('BeforeAgent', { prompt: 'a prompt' });
    await gemini.door.send(letter);
    gemini.hook('AfterAgent', { prompt_response: 'one' });
    await vi.advanceTimersByTimeAsync(600);
    expect(gemini.kinds().slice(-2)).toEqual(['returned', 'idle']);
  });

  test('is returned when another prompt follows', async () => {
    gemini.hook('BeforeAgent', { prompt: 'a prompt' });
    await gemini.door.send(letter);
    gemini.handAtEnd();
    gemini.hook('BeforeAgent', { prompt: 'something else' });
    await vi.advanceTimersByTimeAsync(2000);
    await vi.waitFor(() => expect(gemini.kinds()).toContain('returned'));
  });

  test('stays with Gemini while hooks of the user run, however long', async () => {
    gemini.hook('BeforeAgent', { prompt: 'a prompt' });
    await gemini.door.send(letter);
    gemini.handAtEnd();
    await vi.advanceTimersByTimeAsync(MINUTES);
    expect(gemini.kinds()).not.toContain('returned');
    expect((await gemini.door.find(ID)).at).toBe('queue');
    // Other mail finds another way meanwhile.
    expect(gemini.door.carries(letter).kind).toBe('no');
    gemini.hook('BeforeAgent', { prompt: TEXT });
    gemini.hook('AfterTool');
    expect(gemini.kinds()).toContain('received');
  });

  test.each(['received', 'returned'])('whose turn ended without a word: %s, by its chat', async (which) => {
    gemini.hook('BeforeAgent', { prompt: 'a prompt' });
    await gemini.door.send(letter);
    gemini.handAtEnd();
    gemini.hook('BeforeAgent', { prompt: TEXT });
    if (which === 'received') fs.writeFileSync(gemini.chat, `${PROMPT}\n`);
    gemini.hook('AfterAgent', { prompt_response: 'one ', stop_hook_active: true });
    await vi.advanceTimersByTimeAsync(2000);
    await vi.waitFor(() => expect(gemini.kinds()).toContain(which));
    expect(gemini.kinds().filter((kind) => kind === 'received' || kind === 'returned')).toEqual([which]);
  });

  test('that was interrupted before it began is not proved by what the next turn does', async () => {
    gemini.hook('BeforeAgent', { prompt: 'a prompt' });
    await gemini.door.send(letter);
    gemini.handAtEnd();
    gemini.hook('BeforeAgent', { prompt: TEXT });
    gemini.hook('BeforeAgent', { prompt: 'something else' });
    gemini.hook('AfterTool');
    gemini.hook('AfterAgent', { prompt_response: 'two' });
    await vi.advanceTimersByTimeAsync(2000);
    await vi.waitFor(() => expect(gemini.kinds().at(-1)).toBe('returned'));
    expect(gemini.kinds()).not.toContain('received');
    expect(gemini.events.findLast(({ kind }) => kind === 'turn_ended')).toMatchObject({ answer: 'two' });
  });

  test('is neither received nor returned when its chat cannot be read', async () => {
    gemini.hook('BeforeAgent', { prompt: 'a prompt' });
    await gemini.door.send(letter);
    gemini.handAtEnd();
    gemini.hook('BeforeAgent', { prompt: TEXT });
    fs.rmSync(gemini.chat);
    gemini.hook('AfterAgent', { prompt_response: 'one ', stop_hook_active: true });
    await vi.advanceTimersByTimeAsync(2000);
    await vi.waitFor(() => expect(gemini.kinds().at(-1)).toBe('idle'));
    expect(gemini.kinds()).not.toContain('received');
    expect(gemini.kinds()).not.toContain('returned');
    expect((await gemini.door.find(ID)).at).toBe('unknown');
    // Once it can be read, it tells.
    fs.writeFileSync(gemini.chat, `${PROMPT}\n`);
    expect((await gemini.door.find(ID)).at).toBe('received');
  });
});

describe('over a restart of the daemon', () => {
  test('the conversation is known, and another one that is heard first is not taken for it', async () => {
    gemini.hook('SessionStart', { source: 'startup' });
    gemini.hook('BeforeAgent', { prompt: 'a prompt' });
    gemini.restart();
    gemini.hook('SessionStart', { session_id: 'inner', source: 'startup' });
    gemini.hook('BeforeAgent', { session_id: 'inner', prompt: 'x' });
    expect(gemini.door.state.kind).toBe('opening');
    gemini.hook('AfterTool');
    expect(gemini.door.state.kind).toBe('open');
    expect(gemini.door.carries(letter).kind).toBe('now');
  });

  test('hooks from before it was handed over say nothing of a message', async () => {
    gemini.hook('BeforeAgent', { prompt: 'a prompt' });
    await gemini.door.send(letter);
    const before = now() - 200;
    gemini.handAtEnd();
    gemini.restart();
    gemini.hookAt(before, 'BeforeAgent', { prompt: 'another prompt' });
    gemini.hookAt(before + 1, 'AfterAgent', { prompt_response: 'one ' });
    await vi.advanceTimersByTimeAsync(MINUTES);
    expect(gemini.kinds()).not.toContain('returned');
    gemini.hook('BeforeAgent', { prompt: TEXT });
    gemini.hook('AfterAgent', { prompt_response: 'one \ntwo ', stop_hook_active: true });
    expect(gemini.kinds()).toContain('received');
  });

  test('a turn whose begin an earlier daemon heard has taken what its chat shows', async () => {
    gemini.hook('BeforeAgent', { prompt: 'a prompt' });
    await gemini.door.send(letter);
    gemini.handAtEnd();
    gemini.hook('BeforeAgent', { prompt: TEXT });
    fs.writeFileSync(gemini.chat, `${PROMPT}\n`);
    gemini.restart();
    gemini.hook('AfterAgent', { prompt_response: 'one \ntwo ', stop_hook_active: true });
    await vi.advanceTimersByTimeAsync(2000);
    await vi.waitFor(() => expect(gemini.kinds().slice(-3)).toEqual(['received', 'turn_ended', 'idle']));
  });

  test('what an earlier process was given is left to the records of that one', async () => {
    gemini.hook('BeforeAgent', { prompt: 'a prompt' });
    await gemini.door.send(letter);
    gemini.handAtEnd();
    gemini.facts = {};
    gemini.restart();
    gemini.hook('SessionStart', { session_id: 'two', source: 'startup' });
    gemini.hook('BeforeAgent', { session_id: 'two', prompt: 'a prompt' });
    await vi.advanceTimersByTimeAsync(MINUTES);
    expect(gemini.kinds()).not.toContain('returned');
    expect(gemini.door.carries(letter).kind).toBe('now');
  });
});
