// Batches on disk: an attempt for several messages is begun for all or none, and what happens to it happens to each of them.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MailDesk } from '../../test/support/mail-desk.js';
import { type MessageRow, Unmet } from '../store/index.js';
import type { MessageEvent } from './lifecycle.js';
import { next, QUEUED } from './lifecycle.js';

let desk: MailDesk;
beforeEach(async () => {
  desk = await MailDesk.open();
});
afterEach(() => desk.close());

const ATTEMPT = { kind: 'attempt', epoch: 1, lease: 'l', way: 'direct' } as const;

async function batch(size: number): Promise<[MessageRow, MessageRow[]]> {
  const rows = [];
  for (let i = 0; i < size; i++) rows.push(await desk.message({ text: `${i}` }));
  const [first, ...riders] = rows as [MessageRow, ...MessageRow[]];
  return [await desk.ledger.begin(first, riders, ATTEMPT), riders.map(({ id }) => desk.get(id))];
}
const states = (...rows: MessageRow[]): string[] =>
  rows.map(({ id }) => `${desk.get(id).state} ${desk.get(id).receipt}`);

test('an attempt for three: one is to be gone on with after a crash, and the others are with it', async () => {
  const [lead, riders] = await batch(3);
  expect(states(lead, ...riders)).toEqual(Array(3).fill('attempting queued'));
  expect(desk.ledger.messages.next('s')?.id).toBe(lead.id);
  expect(desk.ledger.messages.ridersOf(lead.id).map(({ id }) => id)).toEqual(riders.map(({ id }) => id));
  const [typed, submitted] = [
    { kind: 'typed', evidence: 'e' } as const,
    { kind: 'submitted', evidence: 'e' } as const,
  ];
  const row = await desk.ledger.record(lead, typed);
  expect(states(lead, ...riders)).toEqual(Array(3).fill('attempting typed'));
  await desk.ledger.record(row, submitted);
  expect(states(lead, ...riders)).toEqual(Array(3).fill('settled submitted'));
});

test('one that was cancelled at that moment keeps all of them from being begun', async () => {
  const rows = [await desk.message(), await desk.message()] as [MessageRow, MessageRow];
  await desk.ledger.record(rows[1], { kind: 'cancelled', reason: 'by hand' });
  await expect(desk.ledger.begin(rows[0], [rows[1]], ATTEMPT)).rejects.toThrow(Unmet);
  expect(states(...rows)).toEqual(['pending queued', 'cancelled queued']);
});

test('nothing is begun for one that is over, whoever has seen it so', async () => {
  const row = await desk.ledger.record(await desk.message(), { kind: 'cancelled', reason: 'by hand' });
  await expect(desk.ledger.begin(row, [], ATTEMPT)).rejects.toThrow(Unmet);
  await expect(desk.ledger.record(row, { kind: 'interrupted', state: 'busy' })).rejects.toThrow(Unmet);
  expect(desk.ledger.messages.events(row.id).map(({ kind }) => kind)).toEqual(['queued', 'cancelled']);
});

test('what came to nothing waits again, each for itself', async () => {
  const [lead, riders] = await batch(2);
  await desk.ledger.record(lead, { kind: 'refused', reason: 'user_typing' });
  expect(states(lead, ...riders)).toEqual(Array(2).fill('pending queued'));
  expect(desk.get(riders[0]?.id ?? '').lead).toBeNull();
});

test('a receipt that one of them got earlier does not keep the others from theirs', async () => {
  const [lead, riders] = await batch(3);
  const [early] = riders as [MessageRow];
  await desk.ledger.record(early, { kind: 'received', turn: 't', evidence: 'shown' });
  // As it was before: somebody who did not hear of it records what he saw.
  await desk.ledger.record(lead, { kind: 'submitted', evidence: 'box_empty' });
  expect(states(lead, ...riders)).toEqual(['settled submitted', 'settled received', 'settled submitted']);
});

test('its agent has shown the first, so it has shown all that was in the same text', async () => {
  const [lead, riders] = await batch(2);
  const accepted = await desk.ledger.record(lead, { kind: 'accepted', evidence: 'queue' });
  await desk.ledger.record(accepted, { kind: 'received', turn: 't', evidence: 'client_id' });
  expect(states(lead, ...riders)).toEqual(Array(2).fill('settled received'));
  expect(desk.get(riders[0]?.id ?? '').turn).toBe('t');
});

test('the state of each is what its own events fold to', async () => {
  const [lead, riders] = await batch(3);
  const row = await desk.ledger.record(lead, {
    kind: 'refused',
    reason: 'sentinel_not_found',
    failed: true,
    retryAt: 5,
  });
  await desk.ledger.begin(row, [], ATTEMPT);
  for (const { id } of [lead, ...riders]) {
    const folded = desk.ledger.messages
      .events(id)
      .reduce(
        (at, { kind, data, at: time }) => next(at, { kind, ...JSON.parse(data) } as MessageEvent, time),
        QUEUED,
      );
    expect(desk.get(id)).toMatchObject(folded);
  }
});
