// What is taken in: once for each key, all or nothing, never more than a queue may hold.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MailDesk } from '../../test/support/mail-desk.js';
import { insertInbox } from '../store/index.js';
import { DEFAULT_CONFIG } from './config.js';
import { printOf, Sending, type SendOptions } from './sending.js';

let desk: MailDesk;
let sending: Sending;
let now = 1_000_000;
let count = 0;
beforeEach(async () => {
  desk = await MailDesk.open();
  sending = open();
});
afterEach(() => desk.close());

const open = (config = {}): Sending => {
  return new Sending({
    store: desk.store,
    ledger: desk.ledger,
    config: { ...DEFAULT_CONFIG, ...config },
    clock: () => now,
    newMessageId: () =>
      `${(++count).toString(16).padStart(11, '0')}${Math.floor(Math.random() * 16).toString(16)}`,
  });
};
const ADA = { session: null, name: 'ada' };
const key = (name: string, of: unknown): SendOptions => ({
  command: false,
  key: { name, print: printOf(of) },
});
const send = (text: string, options: SendOptions = { command: false }, sender = ADA) =>
  sending.send([desk.session], text, sender, options);

test('the same key with the same text is one message', async () => {
  const first = await send('hello', key('k', 'hello'));
  const again = await send('hello', key('k', 'hello'));
  expect(again).toMatchObject({ ids: first.ids, repeated: true });
  expect(again.rows.map(({ id }) => id)).toEqual(first.ids);
  expect(desk.ledger.messages.waitingCount('s')).toBe(1);
});

test('also when both come at the same moment', async () => {
  const both = await Promise.all([send('hello', key('k', 'hello')), send('hello', key('k', 'hello'))]);
  expect(new Set(both.flatMap(({ ids }) => ids)).size).toBe(1);
  expect(desk.ledger.messages.waitingCount('s')).toBe(1);
});

test('the same key with another text is an error, and nothing is stored', async () => {
  await send('hello', key('k', 'hello'));
  await expect(send('other', key('k', 'other'))).rejects.toMatchObject({
    problem: 'key_reused',
    input: { field: 'key', value: 'k' },
  });
  expect(desk.ledger.messages.waitingCount('s')).toBe(1);
});

test('keys of different senders have nothing to do with each other', async () => {
  await send('hello', key('k', 'hello'));
  const other = await send('other', key('k', 'other'), { session: null, name: 'bob' });
  expect(other.repeated).toBe(false);
});

test('what is written beside it is there with it or not at all', async () => {
  const steps = [
    insertInbox({
      id: 'i',
      sender_session: null,
      sender_name: 'ada',
      text: 'x',
      mode: 'sequential',
      in_reply_to: null,
      thread: 'i',
      created_at: 1,
    }),
  ];
  const beside = { steps, ids: ['i'] };
  const sent = await sending.send([desk.session], 'x', ADA, key('k', 'x'), beside);
  expect(sent.ids).toHaveLength(2);
  const again = await sending.send([desk.session], 'x', ADA, key('k', 'x'), beside);
  expect(again.ids).toEqual(sent.ids);
  expect(desk.store.read.prepare('SELECT COUNT(*) AS n FROM inbox').get()).toEqual({ n: 1 });
});

test('a queue that is full takes nothing more, and says so', async () => {
  sending = open({ queueLimit: 2 });
  const all = await Promise.allSettled([send('1'), send('2'), send('3')]);
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(all[2]).toMatchObject({ reason: { problem: 'queue_full' } });
});

test('a dead letter makes room in its queue, and takes it again when it is redelivered', async () => {
  const [first] = (await send('1')).rows;
  if (!first) throw new Error('nothing was stored');
  const dead = await desk.ledger.record(first, { kind: 'dead', reason: '5 attempts failed' });
  sending = open({ queueLimit: 2 });
  await send('2');
  await desk.ledger.record(dead, { kind: 'redelivered', by: 'user' });
  await expect(send('3')).rejects.toMatchObject({ problem: 'queue_full' });
  expect(desk.ledger.messages.waitingCount('s')).toBe(2);
});

test('a limit that was changed counts at once', async () => {
  const config = { ...DEFAULT_CONFIG, queueLimit: 10 };
  sending = open();
  const limited = new Sending({
    store: desk.store,
    ledger: desk.ledger,
    config,
    clock: () => now,
    newMessageId: () => `${++count}`,
  });
  const one = () => limited.send([desk.session], 'x', ADA, { command: false });
  await one();
  config.queueLimit = 1;
  await expect(one()).rejects.toMatchObject({ problem: 'queue_full' });
  config.queueLimit = 2;
  await one();
});

test('a deadline is counted from now; the configuration has one for those that name none; 0 is none', async () => {
  const of = async (options: Partial<SendOptions>) =>
    (await send('x', { command: false, ...options })).rows[0]?.expires_at;
  expect(await of({})).toBeNull();
  expect(await of({ timeoutMs: 5000 })).toBe(now + 5000);
  expect(await of({ timeoutMs: 0.25, notify: { after: 0.5 } })).toBe(now + 1);
  sending = open({ defaultTimeoutMs: 7000 });
  now += 1;
  expect(await of({})).toBe(now + 7000);
});

test('a print does not depend on the order of fields', () => {
  expect(printOf({ a: 1, b: { c: [1, 2], d: 2 } })).toBe(printOf({ b: { d: 2, c: [1, 2] }, a: 1 }));
  expect(printOf({ a: [1, 2] })).not.toBe(printOf({ a: [2, 1] }));
});
