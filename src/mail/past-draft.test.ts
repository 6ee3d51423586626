import { describe, expect, test } from 'vitest';
import type { Decision } from '../composer/index.js';
import type { PastDraft } from '../store/index.js';
import { type Occasion, type Passage, passage } from './past-draft.js';

const STALE_MS = 1000;
const NOW = 100_000;
const hold = (reason: Extract<Decision, { kind: 'hold' }>['reason'], retryAt?: number): Decision => ({
  kind: 'hold',
  reason,
  detail: 'why',
  ...(retryAt !== undefined && { retryAt }),
});
const POLICIES: PastDraft[] = ['never', 'stale', 'auto', 'now'];

const judge = (occasion: Partial<Occasion>): Passage =>
  passage(
    {
      decision: hold('draft'),
      policy: 'auto',
      exact: true,
      possible: true,
      keepsKeys: true,
      heldMs: 200,
      heldAt: NOW - 500,
      lastKeyAt: NOW - 10,
      unchangedSince: NOW - 20,
      now: NOW,
      ...occasion,
    },
    { inputStaleMs: STALE_MS },
  );

const PAST: Passage = { kind: 'past' };
const wait = (retryAt?: number): Passage =>
  retryAt === undefined ? { kind: 'wait' } : { kind: 'wait', retryAt };
const staleAt = NOW - 10 + STALE_MS;

test.each(POLICIES)('an empty box is typed into, whatever the policy (%s)', (policy) => {
  for (const possible of [true, false])
    expect(judge({ decision: { kind: 'empty' }, policy, possible })).toEqual({ kind: 'direct' });
});

describe.each(['draft', 'composer_unknown'] as const)('a box with %s', (reason) => {
  const decision = hold(reason);
  test.each<[PastDraft, 'exact' | 'by look', Passage]>([
    ['never', 'exact', wait()],
    ['stale', 'exact', wait(staleAt)],
    ['stale', 'by look', wait(staleAt)],
    ['auto', 'exact', PAST],
    ['auto', 'by look', wait(staleAt)],
    ['now', 'exact', PAST],
    ['now', 'by look', PAST],
  ])('%s, read %s', (policy, reads, out) => {
    expect(judge({ decision, policy, exact: reads === 'exact' })).toEqual(out);
  });

  test.each<[PastDraft, Passage]>([
    ['never', wait()],
    ['stale', PAST],
    ['auto', PAST],
    ['now', PAST],
  ])('%s, once it is stale', (policy, out) => {
    const old = { lastKeyAt: NOW - STALE_MS, unchangedSince: NOW - STALE_MS };
    expect(judge({ decision, policy, exact: false, ...old })).toEqual(out);
  });

  test('it is stale only when neither a key came nor its look changed', () => {
    const old = NOW - 5 * STALE_MS;
    const stale = { decision, policy: 'stale' } as const;
    expect(judge({ ...stale, lastKeyAt: old })).toEqual(wait(NOW - 20 + STALE_MS));
    expect(judge({ ...stale, unchangedSince: old })).toEqual(wait(NOW - 10 + STALE_MS));
    expect(judge({ ...stale, lastKeyAt: old, unchangedSince: old })).toEqual(PAST);
  });

  test.each(POLICIES)('nothing can take it out: %s waits for the person', (policy) => {
    expect(judge({ decision, policy, possible: false, lastKeyAt: 0, unchangedSince: 0 })).toEqual(wait());
  });
});

describe('a person who types', () => {
  const decision = hold('user_typing', NOW + 7);
  test.each<[PastDraft, Passage]>([
    ['never', wait(NOW + 7)],
    ['stale', wait(NOW + 7)],
    ['auto', wait(NOW + 7)],
    ['now', PAST],
  ])('%s', (policy, out) => {
    expect(judge({ decision, policy })).toEqual(out);
  });

  test('now, and nothing can take the draft out', () => {
    expect(judge({ decision, policy: 'now', keepsKeys: false })).toEqual(wait(NOW + 7));
    expect(judge({ decision, policy: 'now', possible: false })).toEqual(wait(NOW + 7));
  });

  test('now, and the last delivery kept their keys waiting for longer than they may', () => {
    expect(judge({ decision, policy: 'now', heldMs: 3000 })).toEqual(PAST);
    expect(judge({ decision, policy: 'now', heldMs: 12_340 })).toEqual({
      ...wait(NOW + 7),
      detail: expect.stringContaining('12.3 s'),
    });
  });

  test('and they have typed on since for three times as long, or the next pause comes first', () => {
    const slow = { decision, policy: 'now', heldMs: 4000 } as const;
    expect(judge({ ...slow, heldAt: NOW - 11_999 })).toMatchObject({ kind: 'wait', retryAt: NOW + 1 });
    expect(judge({ ...slow, heldAt: NOW - 1000 })).toMatchObject({ kind: 'wait', retryAt: NOW + 7 });
    expect(judge({ ...slow, heldAt: NOW - 12_000 })).toEqual(PAST);
    // Where it takes so long, only a pause will do.
    expect(judge({ ...slow, heldMs: 20_500, heldAt: 0 })).toMatchObject({ kind: 'wait' });
  });

  test('a draft that rests is passed where its agent is slow; where it is very slow, once nobody touches it', () => {
    for (const policy of ['auto', 'now'] as const) {
      expect(judge({ policy, heldMs: 12_340 })).toEqual(PAST);
      expect(judge({ policy, heldMs: 20_500 })).toEqual({
        ...wait(staleAt),
        detail: expect.stringContaining('20.5 s'),
      });
      expect(judge({ policy, heldMs: 20_500, lastKeyAt: NOW - STALE_MS, unchangedSince: 0 })).toEqual(PAST);
    }
  });
});

test.each(['not_at_prompt', 'in_mode', 'synchronized', 'dead'] as const)('%s is no draft', (reason) => {
  for (const policy of POLICIES)
    expect(judge({ decision: hold(reason, NOW + 5), policy })).toEqual(wait(NOW + 5));
});
