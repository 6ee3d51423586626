// Which message an agent answers: that of the running turn first, and never one of another's.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MailDesk } from '../../test/support/mail-desk.js';
import { blankRow } from '../sessions/session.js';
import { Inbox, insertInbox, insertSession } from '../store/index.js';
import { Handling } from './handling.js';
import type { MessageEvent } from './lifecycle.js';
import { Proofs } from './proofs.js';

const ACCEPTED: MessageEvent = { kind: 'accepted', evidence: 'queue' };
const SUBMITTED: MessageEvent = { kind: 'submitted', evidence: 'box_empty' };
const RECEIVED: MessageEvent = { kind: 'received', turn: 't', evidence: 'hook' };
const DONE: MessageEvent = { kind: 'done', evidence: 'Stop hook', how: 'completed' };

let desk: MailDesk;
let handling: Handling;
beforeEach(async () => {
  desk = await MailDesk.open();
  handling = new Handling({
    ledger: desk.ledger,
    inbox: new Inbox(desk.store),
    proofs: new Proofs(desk),
  });
});
afterEach(() => desk.close());

const from = async (sender: string, ...events: MessageEvent[]): Promise<string> => {
  const row = await desk.message({ senderSession: `id-${sender}`, senderName: sender });
  return (await desk.attempted(row, 'door', ...events)).id;
};
const answered = (to?: string): string => handling.find(desk.session, to).id;

test('that of the running turn, before one that was done later than it was sent', async () => {
  const open = await from('a', ACCEPTED, RECEIVED);
  await from('b', ACCEPTED, RECEIVED, DONE);
  expect(answered()).toBe(open);
});

test('of several in one turn of one sender that which came in last, whenever it was sent', async () => {
  const early = await desk.message({ senderSession: 'id-b', senderName: 'b' });
  await from('b', ACCEPTED, RECEIVED);
  const { id } = await desk.attempted(early, 'door', ACCEPTED, RECEIVED);
  expect(answered()).toBe(id);
});

test('mail of several senders in one turn: whom it answers has to be said, until only one is left', async () => {
  const early = await desk.message({ senderSession: 'id-a', senderName: 'a' });
  const first = await from('b', ACCEPTED, RECEIVED);
  const { id } = await desk.attempted(early, 'door', ACCEPTED, RECEIVED);
  expect(() => answered()).toThrow('several senders at hand: a, b');
  expect(answered('a')).toBe(id);
  expect(answered('b')).toBe(first);
  await desk.message({ senderSession: 's', inReplyTo: id, thread: id });
  expect(answered()).toBe(first);
  expect(answered('id-b')).toBe(first);
});

test('of several of one sender, the last that is not answered yet', async () => {
  const [first, second] = [await from('a', ACCEPTED, RECEIVED), await from('a', ACCEPTED, RECEIVED)];
  expect(answered()).toBe(second);
  await desk.message({ senderSession: 's', inReplyTo: second, thread: second });
  expect(answered()).toBe(first);
  await desk.message({ senderSession: 's', inReplyTo: first, thread: first });
  expect(answered()).toBe(second);
});

test('a person is answered in the inbox, by this session alone', async () => {
  const asked = await from('a', ACCEPTED, RECEIVED);
  const row = await desk.message({ senderSession: null, senderName: 'user' });
  const { id } = await desk.attempted(row, 'door', ACCEPTED, RECEIVED);
  const mail = (n: string, session: string) =>
    insertInbox({
      id: n,
      sender_session: session,
      sender_name: session,
      text: 'done',
      mode: 'sequential',
      in_reply_to: id,
      thread: id,
      created_at: 0,
    });
  await desk.store.write([mail('1', 'another')]);
  expect(() => answered()).toThrow('several senders at hand: user, a');
  await desk.store.write([mail('2', 's')]);
  expect(answered()).toBe(asked);
});

test('between turns the last one received, though others wait', async () => {
  await from('a', ACCEPTED, RECEIVED, DONE);
  const last = await from('b', ACCEPTED, RECEIVED, DONE);
  await from('c', ACCEPTED);
  await desk.message();
  expect(answered()).toBe(last);
});

test('one that the process before was given, only if there is no other', async () => {
  const before = await from('a', ACCEPTED, RECEIVED);
  desk.telling.add(2);
  desk.becomes({ epoch: 2 });
  expect(answered()).toBe(before);
  const now = await from('b', ACCEPTED, RECEIVED);
  expect(answered()).toBe(now);
});

test('of an agent that shows nothing, the last that its box let go of', async () => {
  await from('a', SUBMITTED);
  expect(() => answered()).toThrow('has received no message');
  desk.telling.clear();
  const last = await from('b', SUBMITTED);
  expect(answered()).toBe(last);
});

test('word of ours is no message to answer', async () => {
  const asked = await from('a', ACCEPTED, RECEIVED);
  const notice = await desk.message({ senderSession: null, senderName: 'sm' });
  await desk.attempted(notice, 'door', ACCEPTED, RECEIVED);
  expect(answered()).toBe(asked);
});

test('by id, or its beginning, whatever became of it', async () => {
  const old = await from('a', ACCEPTED, RECEIVED, DONE);
  await from('b', ACCEPTED, RECEIVED);
  expect([answered(old), answered(`#${old}`), answered(old.slice(0, 8))]).toEqual([old, old, old]);
});

test('not one that was sent to somebody else', async () => {
  await desk.store.write([insertSession({ ...blankRow('t', 0), name: 't', pane: '%9' })]);
  const { id } = await desk.message({ recipient: 't' });
  expect(() => answered(id)).toThrow(`message ${id} was not sent to s`);
});

test('nothing to answer is said', async () => {
  expect(() => answered()).toThrow('s has received no message that it could answer');
  await from('a', ACCEPTED, RECEIVED);
  expect(() => answered('b')).toThrow('no message with that id or from that sender: b');
  expect(() => answered('abcdefabcdef')).toThrow('abcdefabcdef');
});
