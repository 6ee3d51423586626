// A dead letter goes back into its queue, for good.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MailDesk } from '../../test/support/mail-desk.js';
import { type MessageRow, Unmet, updateSession } from '../store/index.js';
import { Deadlines } from './deadlines.js';
import { redeliverMessage } from './redelivering.js';

let desk: MailDesk;
beforeEach(async () => {
  desk = await MailDesk.open();
});
afterEach(() => desk.close());

const deadLetter = async (expiresAt: number | null = null): Promise<MessageRow> =>
  desk.ledger.record(await desk.message({ expiresAt }), { kind: 'dead', reason: '8 attempts failed' });

test('one whose deadline has passed waits without it', async () => {
  const deadlines = new Deadlines({
    ledger: desk.ledger,
    clock: Date.now,
    doorOf: () => undefined,
    log: (message) => expect.unreachable(message),
  });
  const { id } = await redeliverMessage(desk, await deadLetter(Date.now() - 1), 'user');
  await deadlines.start();
  await desk.store.write([]);
  expect(desk.get(id)).toMatchObject({ state: 'pending', expires_at: null, failures: 0 });
  expect(desk.kinds(id)).toEqual(['queued', 'dead', 'redelivered']);
  await deadlines.dispose();
});

test('one that is none stays as it is', async () => {
  const message = await desk.message({ expiresAt: 1 });
  await expect(redeliverMessage(desk, message, 'user')).rejects.toMatchObject({
    problem: 'conflict',
    input: { field: 'message', value: message.id },
  });
  expect(desk.get(message.id)).toMatchObject({ state: 'pending', expires_at: 1 });
});

test('one whose session was removed is refused, and stays a dead letter', async () => {
  const message = await deadLetter();
  const { ledger } = desk;
  const gone = redeliverMessage({ ledger, registry: { get: () => undefined } }, message, 'user');
  await expect(gone).rejects.toMatchObject({
    problem: 'gone',
    input: { field: 'message', value: message.id, expected: expect.stringContaining('still there') },
  });
  expect(desk.get(message.id).state).toBe('dead');
});

test('one whose session is removed at that moment stays a dead letter', async () => {
  const message = await deadLetter();
  const removed = desk.store.write([updateSession('s', { removed_at: 1 })]);
  await expect(redeliverMessage(desk, message, 'user')).rejects.toBeInstanceOf(Unmet);
  await removed;
  expect(desk.get(message.id).state).toBe('dead');
});
