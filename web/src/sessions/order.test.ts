// Who stands first, and that nothing moves while somebody is at it.
import { expect, test } from 'vitest';
import type { FeedDraft, Session } from '../../../src/api/types.js';
import { matches } from './filter.js';
import { type Around, needOf, rulesFrom, sessionsWithOpenDrafts } from './need.js';
import { heldOrder, SECTIONS, sameOrder, wantedOrder } from './order.js';
import { sessionLike } from './session-like.js';
import { told } from './words.js';

const around = (given: Partial<Around> = {}): Around => ({
  rules: rulesFrom(undefined),
  seen: () => 0,
  openDrafts: new Set(),
  ...given,
});

const status = (state: Session['status']['state'], since: string | null = null): Session['status'] => ({
  state,
  since,
  source: null,
  sure: null,
  detail: null,
});

const asks = sessionLike({
  id: 'asks',
  name: 'z',
  signal_seq: 1,
  signal_state: 'needs_input',
  signal_at: '2',
});
const done = sessionLike({ id: 'done', signal_seq: 4, signal_state: 'completed', signal_at: '1' });
const works = sessionLike({ id: 'works', status: status('busy') });
const rests = sessionLike({ id: 'rests' });
const ended = sessionLike({ id: 'ended', state: 'ended', signal_seq: 1, signal_state: 'error' });
const dialog = sessionLike({ id: 'dialog', status: status('waiting', '1') });

const ids = (placed: readonly { id: string }[]): string[] => placed.map(({ id }) => id);

test('those who need somebody first, those who wait longest before the others; the ended last', () => {
  expect(ids(wantedOrder([ended, rests, works, done, asks, dialog], around()))).toEqual([
    'dialog',
    'asks',
    'done',
    'works',
    'rests',
    'ended',
  ]);
});

test('a signal that was dealt with needs nobody; an open dialog does, whatever was seen', () => {
  const seen = around({ seen: () => 9 });
  expect(needOf(asks, seen)).toBe('quiet');
  expect(needOf(dialog, seen)).toBe('now');
  expect(needOf({ ...asks, signal_seq: 10 }, seen)).toBe('now');
});

test('what its agent has gone on from needs nobody, also once it rests', () => {
  expect(needOf({ ...asks, went_on_at: '1' }, around())).toBe('now');
  expect(needOf({ ...asks, went_on_at: '3' }, around())).toBe('quiet');
});

test('a draft that is not back is worth a look', () => {
  expect(needOf(rests, around({ openDrafts: new Set(['rests']) }))).toBe('soon');
});

test('a draft counts when its box holds something else, or when it should long be back and is not known to be', () => {
  const draft = (id: string, state: FeedDraft['state'], at: number): FeedDraft => ({
    id,
    session: { id, name: id },
    message: null,
    attempt: 1,
    protocol: 'editor',
    exact: true,
    state,
    proof: null,
    held_ms: null,
    created_at: new Date(at).toISOString(),
    updated_at: new Date(at).toISOString(),
  });
  const now = 100_000;
  const drafts = [
    draft('differs', 'differs', now),
    draft('under way', 'saved', now - 3000),
    draft('left behind', 'saved', now - 20_000),
    draft('back', 'restored', 0),
    draft('taken', 'taken', 0),
  ];
  const open = sessionsWithOpenDrafts(Object.fromEntries(drafts.map((each) => [each.id, each])), now);
  expect([...open]).toEqual(['differs', 'left behind']);
});

test('while somebody is at it nobody changes places: the new come behind all sections, the gone go', () => {
  const shown = wantedOrder([works, rests, ended], around());
  const wanted = wantedOrder([asks, { ...rests, signal_seq: 1, signal_state: 'error' }, works], around());
  const held = heldOrder(shown, wanted);
  expect(held).toEqual([
    { id: 'works', section: 'working' },
    { id: 'rests', section: 'quiet' },
    { id: 'asks', section: 'new' },
  ]);
  expect(SECTIONS.at(-1)).toBe('new');
  expect(sameOrder(held, wanted)).toBe(false);
  expect(heldOrder(held, wanted)).toEqual(held);
});

test('a search finds by every word, in name, state, message and folder', () => {
  const session = sessionLike({ name: 'api', cwd: '/srv/shop', signal_message: 'Which port?' });
  expect(['api', 'shop port', 'PORT', '', ' idle '].map((text) => matches(session, text))).toEqual(
    Array(5).fill(true),
  );
  expect(matches(session, 'api ship')).toBe(false);
});

test('a report counts until its agent has begun another turn', () => {
  const reported = sessionLike({
    signal_seq: 1,
    signal_state: 'completed',
    signal_message: 'all green',
    signal_at: '2',
  });
  expect(told({ ...reported, status: status('idle', '3') })).toMatchObject({
    word: 'completed',
    message: 'all green',
  });
  const again = { ...reported, status: status('busy', '3'), went_on_at: '3' };
  expect([told(again).word, needOf(again, around())]).toEqual(['working', 'working']);
  // A screen alone does not tell that it has gone on: `sm statusline` shows it still.
  const looksBusy = { ...asks, status: { ...status('busy', '3'), source: 'screen' as const } };
  expect([told(looksBusy).word, needOf(looksBusy, around())]).toEqual(['needs input', 'now']);
  expect(told({ ...reported, status: status('waiting', '3') }).word).toBe('waits for an answer');
});

test('states of the configuration count beside ours', () => {
  const rules = rulesFrom({ blocked: { urgency: 'high', attention: true }, completed: { urgency: 'low' } });
  expect([rules.blocked?.attention, rules.completed?.attention, rules.error?.attention]).toEqual([
    true,
    false,
    true,
  ]);
});
