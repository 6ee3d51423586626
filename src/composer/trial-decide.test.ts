// Every answer that a trial can give, from what it saw.
import { describe, expect, test } from 'vitest';
import { decideKeys, type TrialSeen } from './trial-decide.js';

const GOOD: TrialSeen = {
  start: 'C-a',
  end: 'C-e',
  kill: 'C-k',
  backspace: 'BSpace',
  types: true,
  erases: true,
  toStart: true,
  toEnd: true,
  kills: true,
  arrows: true,
  keepsOrder: true,
  wrapped: { start: 'line', end: 'line', kill: 'line' },
  lines: { crosses: true, killJoins: true, backspaceJoins: true },
  slowestMs: 40,
};

describe('decideKeys', () => {
  test('all as expected: line keys, with room for a slower screen', () => {
    expect(decideKeys(GOOD)).toEqual({
      kind: 'keys',
      lineKeys: {
        start: { key: 'C-a', moves: 'line' },
        end: { key: 'C-e', moves: 'line' },
        killToEnd: { key: 'C-k', kills: 'line', joins: true },
        backspace: 'BSpace',
        echoMs: 120,
      },
    });
  });

  test('rows and lines as they were seen', () => {
    const verdict = decideKeys({ ...GOOD, wrapped: { start: 'row', end: 'line', kill: 'row' } });
    expect(verdict).toMatchObject({
      lineKeys: { start: { moves: 'row' }, end: { moves: 'line' }, killToEnd: { kills: 'row' } },
    });
  });

  test('one line only: nothing to join', () => {
    expect(decideKeys({ ...GOOD, lines: null })).toMatchObject({ lineKeys: { killToEnd: { joins: false } } });
  });

  test.each([
    ['no_echo', { types: false }],
    ['no_backspace', { erases: false }],
    ['no_arrows', { arrows: false }],
    ['scrambles', { keepsOrder: false }],
    ['no_line_start', { toStart: false }],
    ['no_line_end', { toEnd: false }],
    ['no_kill', { kills: false }],
    ['lines_not_crossed', { lines: { crosses: false, killJoins: true, backspaceJoins: true } }],
    ['lines_not_joined', { lines: { crosses: true, killJoins: false, backspaceJoins: false } }],
  ] as const)('%s', (reason, difference) => {
    expect(decideKeys({ ...GOOD, ...difference })).toEqual({ kind: 'unsupported', reason });
  });
});
