// A turn that a person cuts short where no hook tells of it: what waited for its end comes back.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HookedGemini, ID, letter, MINUTES } from '../../../test/support/gemini-hooks.js';

let gemini: HookedGemini;
beforeEach(() => {
  gemini = new HookedGemini();
  gemini.printedAt = 0;
});
afterEach(() => gemini.close());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
// It prints for so long.
const print = async (ms: number) => {
  for (let left = ms; left > 0; left -= 1000) {
    gemini.printedAt = Date.now();
    await pass(Math.min(left, 1000));
  }
};
const ask = () => gemini.hook('Notification', { notification_type: 'ToolPermission' });

describe('a message that waits', () => {
  beforeEach(async () => {
    gemini.hook('BeforeAgent', { prompt: 'a prompt' });
    await gemini.door.send(letter);
  });

  test('stays while its turn prints, and comes back when nothing moves any more', async () => {
    await print(60_000);
    expect(gemini.kinds().at(-1)).toBe('busy');
    expect((await gemini.door.find(ID)).at).toBe('queue');
    await pass(6000);
    expect(gemini.kinds().slice(-2)).toEqual(['unknown', 'returned']);
    expect(gemini.door.carries(letter).kind).toBe('no');
  });

  test('comes back after an approval that was denied', async () => {
    ask();
    await print(500);
    await pass(MINUTES);
    // The person reads.
    expect(gemini.kinds().at(-1)).toBe('waiting');
    await print(100);
    await pass(6000);
    expect(gemini.kinds().slice(-2)).toEqual(['unknown', 'returned']);
  });

  test('stays when the approval was given and its tool runs', async () => {
    ask();
    await print(10_000);
    gemini.hook('AfterTool');
    await print(10_000);
    expect(gemini.kinds().at(-1)).toBe('busy');
  });
});

test('a turn that goes on after all is known again', async () => {
  gemini.hook('BeforeAgent', { prompt: 'a prompt' });
  await pass(6000);
  expect(gemini.kinds().at(-1)).toBe('unknown');
  gemini.hook('AfterTool');
  expect(gemini.kinds().at(-1)).toBe('busy');
});

test('what an earlier daemon knew does not stay for ever', async () => {
  const status = { state: 'waiting', since: 0, source: 'hook', detail: 'permission' } as const;
  gemini.restart({ status });
  await pass(MINUTES);
  expect(gemini.kinds()).not.toContain('unknown');
  await print(3000);
  await pass(6000);
  expect(gemini.kinds().at(-1)).toBe('unknown');
});
