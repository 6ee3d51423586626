import { describe, expect, test } from 'vitest';
import { BoxTurns } from './box-turns.js';

describe('turns at an input box', () => {
  test('one at a time, each session for itself', () => {
    const turns = new BoxTurns();
    const turn = turns.tryBegin('a', 'courier');
    expect([turns.who('a'), turns.who('b')]).toEqual(['courier', undefined]);
    expect(turns.tryBegin('a', 'desk')).toBeUndefined();
    expect(turns.tryBegin('b', 'desk')).toBeDefined();
    turn?.end();
    expect(turns.tryBegin('a', 'desk')).toBeDefined();
  });

  test('who waits is next, also before one that comes in the same breath', async () => {
    const turns = new BoxTurns();
    const first = turns.tryBegin('a', 'courier');
    const waiting = turns.begin('a', 'desk', 10_000);
    first?.end();
    expect(turns.tryBegin('a', 'courier')).toBeUndefined();
    expect(turns.who('a')).toBe('desk');
    // Ended twice it does not end another's.
    first?.end();
    expect(turns.who('a')).toBe('desk');
    (await waiting)?.end();
    expect(turns.who('a')).toBeUndefined();
  });

  test('is waited for so long and no longer', async () => {
    const turns = new BoxTurns();
    const first = turns.tryBegin('a', 'courier');
    expect(await turns.begin('a', 'desk', 5)).toBeUndefined();
    first?.end();
    expect(turns.who('a')).toBeUndefined();
  });
});
