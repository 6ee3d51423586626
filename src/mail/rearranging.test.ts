// A queue in another order, and a message that is to go another way: both on disk at once, and only while they wait.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MailDesk } from '../../test/support/mail-desk.js';
import { type MessageRow, Unmet } from '../store/index.js';
import { changeMessage, moveMessage } from './rearranging.js';

let desk: MailDesk;
beforeEach(async () => {
  desk = await MailDesk.open();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await desk.close();
});

const texts = (recipient: string): string[] =>
  desk.ledger.messages.pending(recipient, 50).map(({ text }) => text);
const several = async (...names: string[]): Promise<MessageRow[]> => {
  const rows: MessageRow[] = [];
  for (const text of names) rows.push(await desk.message({ text }));
  return rows;
};

test('one goes in front of another, or behind all; the others keep their order', async () => {
  const [a, b, , d] = (await several('a', 'b', 'c', 'd')) as [MessageRow, MessageRow, MessageRow, MessageRow];
  await moveMessage(desk.ledger, d, b);
  expect(texts(a.recipient)).toEqual(['a', 'd', 'b', 'c']);
  await moveMessage(desk.ledger, desk.get(a.id), undefined);
  expect(texts(a.recipient)).toEqual(['d', 'b', 'c', 'a']);
  await moveMessage(desk.ledger, desk.get(a.id), desk.get(d.id));
  expect(texts(a.recipient)).toEqual(['a', 'd', 'b', 'c']);
  expect(desk.kinds(a.id)).toEqual(['queued', 'moved', 'moved']);
  // Nothing is between the places.
  expect(new Set(desk.ledger.messages.pending(a.recipient, 50).map(({ seq }) => seq)).size).toBe(4);
  const next = await desk.message({ text: 'e' });
  expect(texts(next.recipient)).toEqual(['a', 'd', 'b', 'c', 'e']);
});

test('where it stands already nothing is written', async () => {
  const [a, b] = (await several('a', 'b')) as [MessageRow, MessageRow];
  await moveMessage(desk.ledger, a, b);
  await moveMessage(desk.ledger, b, undefined);
  expect([desk.kinds(a.id), desk.kinds(b.id)]).toEqual([['queued'], ['queued']]);
});

test('modes keep their ranks, and what is under way is not moved', async () => {
  const [a, b] = (await several('a', 'b')) as [MessageRow, MessageRow];
  const urgent = await desk.message({ text: 'urgent', mode: 'urgent' });
  await expect(moveMessage(desk.ledger, b, urgent)).rejects.toMatchObject({
    problem: 'conflict',
    input: { field: 'before', expected: expect.stringContaining('in the mode sequential') },
  });
  const cancelled = await desk.ledger.record(a, { kind: 'cancelled', reason: 'x' });
  await expect(moveMessage(desk.ledger, b, cancelled)).rejects.toMatchObject({ problem: 'too_late' });
  await expect(moveMessage(desk.ledger, cancelled, b)).rejects.toMatchObject({ problem: 'too_late' });
  expect(texts(b.recipient)).toEqual(['urgent', 'b']);
});

// Somebody else was faster: the order that is reckoned from is that of before.
const behind = async (faster: () => Promise<unknown>): Promise<void> => {
  const { messages } = desk.ledger;
  const queue = messages.pending('s', 50);
  await faster();
  vi.spyOn(messages, 'pending').mockReturnValueOnce(queue);
};

test('one that has moved on meanwhile fails the whole change', async () => {
  const [a, b, c] = (await several('a', 'b', 'c')) as [MessageRow, MessageRow, MessageRow];
  await behind(() => desk.ledger.record(b, { kind: 'cancelled', reason: 'x' }));
  await expect(moveMessage(desk.ledger, c, a)).rejects.toThrow(Unmet);
  expect([texts(a.recipient), desk.kinds(c.id)]).toEqual([['a', 'c'], ['queued']]);
});

test('of two moves at once the first counts, and the other one is refused', async () => {
  const [a, b, c] = (await several('a', 'b', 'c')) as [MessageRow, MessageRow, MessageRow];
  await behind(() => moveMessage(desk.ledger, c, a));
  await expect(moveMessage(desk.ledger, b, a)).rejects.toThrow(Unmet);
  expect([texts(a.recipient), desk.kinds(b.id)]).toEqual([['c', 'a', 'b'], ['queued']]);
});

test('nothing goes in front of itself', async () => {
  const [a] = (await several('a', 'b')) as [MessageRow];
  await expect(moveMessage(desk.ledger, a, a)).rejects.toMatchObject({
    problem: 'conflict',
    input: { field: 'before', value: a.id, expected: 'another message than the one that is moved' },
  });
});

test('what is to go now, whatever is in the way, comes before all of its mode', async () => {
  const [a, , c] = (await several('a', 'b', 'c')) as [MessageRow, MessageRow, MessageRow];
  await desk.message({ text: 'urgent', mode: 'urgent' });
  await changeMessage(desk.ledger, c, { when: 'now' });
  expect(texts(a.recipient)).toEqual(['urgent', 'a', 'b', 'c']);
  const changed = await changeMessage(desk.ledger, desk.get(c.id), { when: 'now', past_draft: 'now' });
  expect(texts(a.recipient)).toEqual(['urgent', 'c', 'a', 'b']);
  expect(changed).toMatchObject({ past_draft: 'now', seq: a.seq });
  // Among those of the mode that it has from now on.
  await changeMessage(desk.ledger, desk.get(a.id), { when: 'now', mode: 'urgent' });
  expect(texts(a.recipient)).toEqual(['a', 'urgent', 'c', 'b']);
  expect(desk.kinds(c.id)).toEqual(['queued', 'changed', 'changed']);
});

test('one whose last attempt failed does not wait for its next one if it is to go now', async () => {
  const retryAt = Date.now() + 60_000;
  const failed = { kind: 'refused', reason: 'x', failed: true, retryAt } as const;
  const message = await desk.attempted(await desk.message(), 'direct', failed);
  expect(message.not_before).toBe(retryAt);
  expect(await changeMessage(desk.ledger, message, { past_draft: 'now' })).toMatchObject({
    not_before: retryAt,
  });
  expect(await changeMessage(desk.ledger, message, { when: 'now' })).toMatchObject({
    not_before: null,
    failures: 1,
  });
  expect(desk.get(message.id).not_before).toBeNull();
});

test('whoever listens is told of it as it is from then on', async () => {
  const [, b] = (await several('a', 'b')) as [MessageRow, MessageRow];
  const told: MessageRow[] = [];
  desk.ledger.onEntry(({ message }) => told.push(message));
  await changeMessage(desk.ledger, b, { mode: 'urgent', past_draft: 'never', when: 'idle' });
  expect(told).toEqual([desk.get(b.id)]);
  expect(told[0]).toMatchObject({ mode: 'urgent', rank: 0, past_draft: 'never', when_idle: 1 });
});

test('a message that waits is made urgent, or lets go of what it waited for', async () => {
  const [a, b] = (await several('a', 'b')) as [MessageRow, MessageRow];
  await desk.ledger.record(b, { kind: 'held', reason: 'draft', detail: 'x' });
  const changed = await changeMessage(desk.ledger, desk.get(b.id), { mode: 'urgent', past_draft: 'now' });
  expect(changed).toMatchObject({ mode: 'urgent', past_draft: 'now', held: null });
  expect(texts(a.recipient)).toEqual(['b', 'a']);
  expect(await changeMessage(desk.ledger, changed, { past_draft: null, when: 'idle' })).toMatchObject({
    mode: 'urgent',
    past_draft: null,
    when_idle: 1,
  });
  const over = await desk.ledger.record(desk.get(a.id), { kind: 'cancelled', reason: 'x' });
  await expect(changeMessage(desk.ledger, over, { mode: 'urgent' })).rejects.toMatchObject({
    problem: 'too_late',
  });
});

test('what was stored is found by its text and by names, from the newest on', async () => {
  const rows = await several('Fix the TESTS', 'other', 'tests again');
  const { messages } = desk.ledger;
  const found = (options: Parameters<typeof messages.page>[1]): string[] =>
    messages.page(50, options).map(({ text }) => text);
  expect(found({ text: 'tests' })).toEqual(['Fix the TESTS', 'tests again']);
  expect(found({ text: 'tests', before: rows[2] as MessageRow })).toEqual(['Fix the TESTS']);
  expect(found({ before: rows[1] as MessageRow })).toEqual(['Fix the TESTS']);
  expect(found({ text: '%' })).toEqual([]);
  expect(messages.page(1, { text: 'tests' }).map(({ text }) => text)).toEqual(['tests again']);
});
