// A queue in another order, and a message that is to go another way: both on disk at once, and only while they wait.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MailDesk } from '../../test/support/mail-desk.js';
import type { MessageRow } from '../store/index.js';
import { changeMessage, moveMessage } from './rearranging.js';

let desk: MailDesk;
beforeEach(async () => {
  desk = await MailDesk.open();
});
afterEach(() => desk.close());

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

test('one that has moved on meanwhile fails the whole change', async () => {
  const [a, b, c] = (await several('a', 'b', 'c')) as [MessageRow, MessageRow, MessageRow];
  const moving = moveMessage(desk.ledger, c, a);
  // Written first would win; this one comes behind it, and finds the order changed.
  await Promise.all([moving, desk.ledger.record(b, { kind: 'cancelled', reason: 'x' })]);
  expect(texts(a.recipient)).toEqual(['c', 'a']);
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
