// What agents show becomes receipts, in order, and each question to an agent is asked once.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MailDesk } from '../../test/support/mail-desk.js';
import type { Found } from '../agents/index.js';
import type { MessageEvent } from './lifecycle.js';
import { Receipts } from './receipts.js';

let desk: MailDesk;
let receipts: Receipts;
beforeEach(async () => {
  desk = await MailDesk.open();
  receipts = new Receipts({ ...desk, doors: desk.doors, registry: desk.registry, log: () => {} });
});
afterEach(() => desk.close());

const ACCEPTED: MessageEvent = { kind: 'accepted', evidence: 'queue' };
const RECEIVED: MessageEvent = { kind: 'received', turn: 't', evidence: 'hook' };

test('however often its session changes, one look is under way and one waits', async () => {
  const { id } = await desk.attempted(await desk.message(), 'door', ACCEPTED);
  let asked = 0;
  let answer = (_: Found): void => {};
  desk.door = {
    find: () => {
      asked++;
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
  };
  for (let i = 0; i < 20; i++) {
    desk.becomes({ cwd: String(i) });
    await Promise.resolve();
  }
  expect(asked).toBe(1);
  answer({ at: 'queue', evidence: 'queue' });
  await expect.poll(() => asked).toBe(2);
  answer({ at: 'received', turn: 't', evidence: 'items' });
  await receipts.settle(desk.session);
  expect([asked, desk.get(id).receipt]).toEqual([2, 'received']);
});

test('what its agent tells while it is being asked is recorded once', async () => {
  const { id } = await desk.attempted(await desk.message(), 'door', ACCEPTED);
  desk.door = { find: async () => ({ at: 'received', turn: 't', evidence: 'items' }) };
  const work: Promise<unknown>[] = [];
  desk.becomes({ cwd: 'x' });
  desk.heard.fire({
    session: desk.session,
    epoch: 1,
    event: { kind: 'received', id, turn: 't', evidence: 'hook' },
    until: (one) => work.push(one),
  });
  await Promise.all(work);
  expect(desk.kinds(id).filter((kind) => kind === 'received')).toHaveLength(1);
});

test('the end of a process ends the turns of its own mail, and of no other', async () => {
  const first = await desk.attempted(await desk.message(), 'door', ACCEPTED, RECEIVED);
  desk.becomes({ epoch: 2 });
  const second = await desk.attempted(await desk.message(), 'door', ACCEPTED, RECEIVED);
  const work: Promise<unknown>[] = [];
  desk.heard.fire({
    session: desk.session,
    epoch: 1,
    event: { kind: 'turn_ended', turn: null, how: 'interrupted', answer: null, evidence: 'ended' },
    until: (one) => work.push(one),
  });
  await Promise.all(work);
  expect([desk.get(first.id).receipt, desk.get(second.id).receipt]).toEqual(['done', 'received']);
});

test.each<[string, () => Promise<Found>]>([
  ['cannot be read', () => Promise.reject(new Error('EIO'))],
  ['still have it in a queue', async () => ({ at: 'queue', evidence: 'queue' })],
])('an agent that has ended and whose records %s holds nothing for ever', async (_, findLast) => {
  const { id } = await desk.attempted(await desk.message(), 'door', ACCEPTED);
  desk.maker.findLast = findLast;
  desk.becomes({ epoch: 2 });
  await receipts.settle(desk.session);
  expect(desk.get(id).state).toBe('pending');
});

test('the end of a turn is recorded of all that it took, or of none', async () => {
  const mail = [];
  for (let i = 0; i < 3; i++)
    mail.push(await desk.attempted(await desk.message(), 'door', ACCEPTED, RECEIVED));
  const write = vi.spyOn(desk.store, 'write');
  const work: Promise<unknown>[] = [];
  desk.heard.fire({
    session: desk.session,
    epoch: 1,
    event: { kind: 'turn_ended', turn: 't', how: 'completed', answer: 'ok', evidence: 'hook' },
    until: (one) => work.push(one),
  });
  await Promise.all(work);
  expect(write).toHaveBeenCalledTimes(1);
  expect(mail.map(({ id }) => desk.get(id).receipt)).toEqual(['done', 'done', 'done']);
});
