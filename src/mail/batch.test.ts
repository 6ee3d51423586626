import { expect, test } from 'vitest';
import type { MessageRow } from '../store/index.js';
import { isShort, type Limits, ridersOf, sharedEvent } from './batch.js';

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
    attempts: 0,
    expires_at: null,
    sender_name: 'a',
    state: 'pending',
    ...more,
  }) as MessageRow;
const LIMITS: Limits = { most: 10, now: 1000, fits: isShort, isBehind: () => false };
const riders = (lead: MessageRow, behind: readonly MessageRow[], limits = LIMITS): MessageRow[] =>
  ridersOf(lead, [lead, ...behind], limits);
const ids = (rows: readonly MessageRow[]): string[] => rows.map(({ id }) => id);

test('what waits behind a message goes along with it, in its order', () => {
  const behind = [row('b'), row('c', { sender_session: 'other' })];
  expect(ids(riders(row('a'), behind, LIMITS))).toEqual(['b', 'c']);
});

test('at most as many as the configuration says', () => {
  const behind = Array.from({ length: 20 }, (_, i) => row(`r${i}`));
  expect(riders(row('a'), behind, { ...LIMITS, most: 10 })).toHaveLength(9);
  expect(riders(row('a'), behind, { ...LIMITS, most: 1 })).toHaveLength(0);
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
  ['one that was tried before', { attempts: 1 }],
  ['one whose time is over', { expires_at: 1000 }],
  ['one that would make it too long', { text: 'x'.repeat(20_000) }],
])('nothing is overtaken by what stands behind one that does not go along: %s', (_, more) => {
  expect(ids(riders(row('a'), [row('b'), row('c', more), row('d')], LIMITS))).toEqual(['b']);
});

test('one that was tried before takes nothing along', () => {
  expect(riders(row('a', { attempts: 1 }), [row('b')])).toEqual([]);
});

test('nothing goes along of a sender whose earlier mail stays behind', () => {
  const queue = [row('a1'), row('b1', { sender_session: 'b' }), row('a2')];
  expect(ids(ridersOf(queue[1] as MessageRow, queue, LIMITS))).toEqual([]);
  const isBehind = ({ sender_session }: MessageRow): boolean => sender_session === 'b';
  expect(
    ids(riders(row('a'), [row('a2'), row('b1', { sender_session: 'b' })], { ...LIMITS, isBehind })),
  ).toEqual(['a2']);
});

test('a command goes alone', () => {
  expect(riders(row('a', { command: 1 }), [row('b', { command: 1 })], LIMITS)).toEqual([]);
});

test('what happens to the first happens to all; what it is held for, and its draft, are its own', () => {
  const submitted = { kind: 'submitted', evidence: 'box_empty' } as const;
  expect(sharedEvent(row('a'), submitted)).toBe(submitted);
  expect(sharedEvent(row('a'), { kind: 'held', reason: 'draft', detail: '' })).toBeUndefined();
  expect(sharedEvent(row('a'), { kind: 'draft', draft: 'd', state: 'saved' })).toBeUndefined();
  const cancelled = { kind: 'cancelled', reason: 'by hand' } as const;
  expect(sharedEvent(row('a', { state: 'accepted' }), cancelled)).toMatchObject({ kind: 'returned' });
  // Which of the two, as its sender would have it.
  expect(sharedEvent(row('a', { state: 'attempting' }), cancelled)).toMatchObject({ kind: 'again' });
  const person = row('a', { state: 'attempting', sender_session: null });
  expect(sharedEvent(person, cancelled)).toMatchObject({ kind: 'uncertain' });
  expect(sharedEvent(person, { ...cancelled, withdrawn: true })).toMatchObject({ kind: 'refused' });
});
