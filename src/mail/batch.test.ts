import { expect, test } from 'vitest';
import type { MessageRow } from '../store/index.js';
import { isShort, ridersOf, sharedEvent } from './batch.js';

const row = (id: string, more: Partial<MessageRow> = {}): MessageRow =>
  ({
    id,
    text: id,
    command: 0,
    mode: 'sequential',
    past_draft: null,
    when_idle: 0,
    force: 0,
    speaks: null,
    surety: null,
    sender_session: 'a',
    not_before: null,
    state: 'pending',
    ...more,
  }) as MessageRow;
const LIMITS = { most: 10, fits: isShort };
const ids = (rows: readonly MessageRow[]): string[] => rows.map(({ id }) => id);

test('what waits behind a message goes along with it, in its order', () => {
  const behind = [row('b'), row('c', { sender_session: 'other' })];
  expect(ids(ridersOf(row('a'), behind, LIMITS))).toEqual(['b', 'c']);
});

test('at most as many as the configuration says', () => {
  const behind = Array.from({ length: 20 }, (_, i) => row(`r${i}`));
  expect(ridersOf(row('a'), behind, { ...LIMITS, most: 10 })).toHaveLength(9);
  expect(ridersOf(row('a'), behind, { ...LIMITS, most: 1 })).toHaveLength(0);
});

test.each<[string, Partial<MessageRow>]>([
  ['a command', { command: 1 }],
  ['another mode', { mode: 'important' }],
  ['another rule for drafts', { past_draft: 'never' }],
  ['only when idle', { when_idle: 1 }],
  ['at any price', { force: 1 }],
  ["the user's word", { speaks: 'prompt' }],
  ['a person', { sender_session: null }],
  ['another surety', { surety: 'at_most_once' }],
  ['one that waits after a failure', { not_before: 1 }],
  ['one that would make it too long', { text: 'x'.repeat(20_000) }],
])('nothing is overtaken by what stands behind one that does not go along: %s', (_, more) => {
  expect(ids(ridersOf(row('a'), [row('b'), row('c', more), row('d')], LIMITS))).toEqual(['b']);
});

test('a command goes alone', () => {
  expect(ridersOf(row('a', { command: 1 }), [row('b', { command: 1 })], LIMITS)).toEqual([]);
});

test('what happens to the first happens to all; what it is held for, and its draft, are its own', () => {
  const submitted = { kind: 'submitted', evidence: 'box_empty' } as const;
  expect(sharedEvent(row('a'), submitted)).toBe(submitted);
  expect(sharedEvent(row('a'), { kind: 'held', reason: 'draft', detail: '' })).toBeUndefined();
  expect(sharedEvent(row('a'), { kind: 'draft', draft: 'd', state: 'saved' })).toBeUndefined();
  const cancelled = { kind: 'cancelled', reason: 'by hand' } as const;
  expect(sharedEvent(row('a', { state: 'accepted' }), cancelled)).toMatchObject({ kind: 'returned' });
  expect(sharedEvent(row('a', { state: 'attempting' }), cancelled)).toMatchObject({ kind: 'uncertain' });
});
