import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Folded } from '../store/index.js';
import { heldOf, type MessageEvent, next, QUEUED } from './lifecycle.js';

const QUEUE: MessageEvent = { kind: 'queued' };
const HELD: MessageEvent = { kind: 'held', reason: 'draft', detail: 'a draft is there' };
const attempt = (n: number): MessageEvent => ({ kind: 'attempt', n, epoch: 1, lease: 'l', way: 'direct' });
const TYPED: MessageEvent = { kind: 'typed', evidence: 'id' };
const SUBMITTED: MessageEvent = { kind: 'submitted', evidence: 'box_empty' };
const ACCEPTED: MessageEvent = { kind: 'accepted', evidence: 'queue' };
const REFUSED: MessageEvent = { kind: 'refused', reason: 'cursor' };
const UNCERTAIN: MessageEvent = { kind: 'uncertain', reason: 'it died' };
const CANCELLED: MessageEvent = { kind: 'cancelled', reason: 'asked' };

// Each event is one millisecond after the other, the first at 1.
const fold = (events: readonly MessageEvent[]): Folded =>
  events.reduce((state, event, i) => next(state, event, i + 1), QUEUED);

test.each<[string, MessageEvent[], Partial<Folded>]>([
  ['is queued', [QUEUE], { state: 'pending', receipt: 'queued', attempts: 0, held: null, settled_at: null }],
  [
    'waits, and it is known why',
    [QUEUE, HELD],
    { state: 'pending', held: '{"reason":"draft","detail":"a draft is there"}' },
  ],
  [
    'no longer waits once it is tried',
    [QUEUE, HELD, attempt(1)],
    { state: 'attempting', attempts: 1, held: null },
  ],
  ['is typed', [QUEUE, attempt(1), TYPED], { state: 'attempting', receipt: 'typed', settled_at: null }],
  [
    'may be stuck while typed',
    [QUEUE, attempt(1), TYPED, HELD],
    { state: 'attempting', receipt: 'typed', held: expect.any(String) },
  ],
  [
    'is submitted, and that is the end',
    [QUEUE, attempt(1), TYPED, SUBMITTED],
    { state: 'settled', receipt: 'submitted', held: null, settled_at: 4 },
  ],
  [
    'whose attempt came to nothing waits again as if untouched',
    [QUEUE, attempt(1), TYPED, REFUSED],
    { state: 'pending', receipt: 'queued', attempts: 1, held: null, settled_at: null },
  ],
  [
    'that its agent has shown is settled, whatever its attempt came to',
    [QUEUE, attempt(1), TYPED, { kind: 'received', turn: 't', evidence: 'hook' }, REFUSED],
    { state: 'settled', receipt: 'received', turn: 't', settled_at: 5 },
  ],
  [
    'that its agent has shown before it was accepted is settled',
    [QUEUE, attempt(1), TYPED, { kind: 'received', turn: 't', evidence: 'hook' }, ACCEPTED],
    { state: 'settled', receipt: 'received', turn: 't', settled_at: 5 },
  ],
  [
    'whose bell came without its text is delivered again',
    [QUEUE, attempt(1), TYPED, { kind: 'accepted', evidence: 'box' }, { kind: 'returned', reason: 'alone' }],
    { state: 'pending', receipt: 'queued', settled_at: null },
  ],
  [
    'counts its attempts',
    [QUEUE, attempt(1), REFUSED, attempt(2), REFUSED, attempt(3)],
    { state: 'attempting', attempts: 3 },
  ],
  [
    'that is uncertain is settled with what was proved, and no more',
    [QUEUE, attempt(1), TYPED, UNCERTAIN],
    { state: 'settled', receipt: 'typed', settled_at: 4 },
  ],
  [
    "that is uncertain after its agent's own queue had it is known to be on disk, and no more",
    [QUEUE, attempt(1), ACCEPTED, UNCERTAIN],
    { state: 'settled', receipt: 'queued', settled_at: 4 },
  ],
  [
    'that is uncertain and is shown by its agent after all is received',
    [QUEUE, attempt(1), ACCEPTED, UNCERTAIN, { kind: 'received', turn: 't', evidence: 'record' }],
    { state: 'settled', receipt: 'received', turn: 't', settled_at: 4 },
  ],
  [
    'is cancelled while it waits',
    [QUEUE, HELD, CANCELLED],
    { state: 'cancelled', receipt: 'queued', held: null, settled_at: 3 },
  ],
])('a message %s', (_, events, expected) => {
  expect(fold(events)).toMatchObject(expected);
});

const event = fc.oneof(
  fc.constantFrom(QUEUE, HELD, TYPED, SUBMITTED, REFUSED, UNCERTAIN, CANCELLED),
  fc.integer({ min: 1, max: 9 }).map(attempt),
);

describe('whatever happens', () => {
  test.each([
    ['submitted', [attempt(1), TYPED, SUBMITTED]],
    ['uncertain', [attempt(1), TYPED, UNCERTAIN]],
    ['cancelled', [CANCELLED]],
  ])('once %s, nothing changes a message any more', (_, events) => {
    const final = fold(events);
    fc.assert(
      fc.property(fc.array(event), (more) => {
        expect(more.reduce((state, each) => next(state, each, 99), final)).toEqual(final);
      }),
    );
  });

  test('a message has the time of its end exactly when it has ended', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const { state, settled_at, held } = fold(events);
        const over = state === 'settled' || state === 'cancelled';
        expect(settled_at !== null).toBe(over);
        if (over) expect(held).toBeNull();
      }),
    );
  });

  test('the state that it was folded from is not changed', () => {
    const before = Object.freeze({ ...QUEUED });
    expect(next(before, HELD, 1)).not.toBe(before);
    expect(before).toEqual(QUEUED);
  });
});

test('why a message waits can be read back', () => {
  expect(heldOf(fold([HELD]))).toEqual({ reason: 'draft', detail: 'a draft is there' });
  expect(heldOf(QUEUED)).toBeUndefined();
});
