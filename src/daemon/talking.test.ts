// Sending to many and to the person, and answers back: on a real store, with sessions in which nothing runs.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MailDesk } from '../../test/support/mail-desk.js';
import type { Profiles } from '../agents/index.js';
import type { ReplyRequest, ReplyResponse, SendRequest, SendResponse } from '../api/types.js';
import { DEFAULT_CONFIG, type InboxEvent, People, PostOffice } from '../mail/index.js';
import type { MessageEvent } from '../mail/lifecycle.js';
import type { PostOfficeDeps } from '../mail/post-office.js';
import { resolveRef } from '../sessions/index.js';
import { blankRow, Session } from '../sessions/session.js';
import { type InboxRow, insertSession, type SessionRow } from '../store/index.js';
import { reply } from './replying.js';
import { send } from './sending.js';

let desk: MailDesk;
let folder: string;
let office: PostOffice;
let people: People;
let told: InboxEvent[];
const sessions: Session[] = [];

beforeEach(async () => {
  desk = await MailDesk.open();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smu-talk-'));
  sessions.length = 0;
  for (const [name, parent] of [
    ['lead', null],
    ['worker-1', 'id-lead'],
    ['worker-2', 'id-lead'],
  ] as const)
    await add({ name, parent });
  const newMessageId = (): string => randomBytes(6).toString('hex');
  const registry = {
    onEvent: desk.happened.event,
    list: () => [...sessions],
    get: (id: string) => sessions.find((session) => session.id === id),
    resolve: (ref: string) => resolveRef(sessions, ref),
  };
  office = new PostOffice({
    ...desk,
    doors: desk.doors,
    registry,
    config: { ...DEFAULT_CONFIG, queueLimit: 3 },
    newMessageId,
    swapFolder: (id: string) => path.join(folder, id),
    keeper: { dispose: async () => {} },
    clock: Date.now,
    log: () => {},
  } as unknown as PostOfficeDeps);
  people = new People({ store: desk.store, clock: Date.now, newMessageId });
  told = [];
  people.onEvent((event) => told.push(event));
});
afterEach(async () => {
  await office.dispose();
  await desk.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function add({ name, ...more }: Partial<SessionRow> & { name: string }): Promise<Session> {
  const row: SessionRow = {
    ...blankRow(`id-${name}`, 0),
    name,
    pane: `%${name}`,
    state: 'live',
    // Nothing is to be delivered here.
    paused: 1,
    ...more,
  };
  const session = new Session(row, { find: () => desk.profile } as unknown as Profiles);
  sessions.push(session);
  await desk.store.write([insertSession(row)]);
  return session;
}

const as = (name: string): NonNullable<SendRequest['from']> => ({ session: `id-${name}` });
const sending = (request: SendRequest): Promise<SendResponse> => send({ office, people }, request, undefined);
const replying = (request: ReplyRequest): Promise<ReplyResponse> =>
  reply({ office, people }, request, undefined);
const names = ({ messages }: SendResponse): string[] => messages.map(({ to }) => to.name);
const RECEIVED: MessageEvent[] = [
  { kind: 'attempt', n: 1, epoch: 1, lease: 'l', way: 'door' },
  { kind: 'accepted', evidence: 'queue' },
  { kind: 'received', turn: 't', evidence: 'hook' },
];
async function received(id: string | undefined): Promise<void> {
  let row = office.find(id ?? '');
  for (const event of RECEIVED) row = await office.ledger.record(row, event);
}
const stored = (): number => office.ledger.messages.recent(100).length + people.inbox.recent(100).length;

describe('sending', () => {
  test('to many and to the person: a message each, all of one conversation with itself', async () => {
    const sent = await sending({ to: ['worker-*', '@me'], text: 'red', from: as('lead') });
    expect(names(sent)).toEqual(['worker-1', 'worker-2']);
    expect(new Set([...sent.messages, ...sent.inbox].map(({ id }) => id)).size).toBe(3);
    expect(sent.inbox).toMatchObject([{ from: { id: 'id-lead', name: 'lead' }, text: 'red', read_at: null }]);
    expect(told).toMatchObject([{ what: 'arrived', row: { text: 'red' } }]);
  });

  test('to @parent and @children by who sends', async () => {
    expect(names(await sending({ to: ['@parent'], text: 'done', from: as('worker-1') }))).toEqual(['lead']);
    expect(names(await sending({ to: ['@children'], text: 'go', from: as('lead') }))).toEqual([
      'worker-1',
      'worker-2',
    ]);
  });

  test('nothing is stored for anybody where one of them cannot take it', async () => {
    for (let n = 0; n < 3; n++) await sending({ to: ['worker-2'], text: String(n) });
    const before = stored();
    await expect(sending({ to: ['@all', '@me'], text: 'x' })).rejects.toMatchObject({
      problem: 'queue_full',
    });
    expect([stored(), told.length]).toEqual([before, 0]);
  });

  test('a key names all of it, the mail to the person too, and the person is told once', async () => {
    const request = { to: ['worker-*', '@me'], text: 'once', key: 'k' };
    const [first, second] = await Promise.all([sending(request), sending(request)]);
    // Those who were meant then are meant, whoever is there now.
    sessions.splice(1);
    const third = await sending(request);
    const ids = ({ messages, inbox }: SendResponse): string[] => [...messages, ...inbox].map(({ id }) => id);
    expect([ids(second), ids(third)]).toEqual([ids(first), ids(first)]);
    expect([first.repeated, second.repeated, third.repeated]).toEqual([false, true, true]);
    expect([stored(), told.length]).toEqual([3, 1]);
    await expect(sending({ ...request, text: 'another' })).rejects.toMatchObject({ problem: 'key_reused' });
  });

  test.each([
    ['an empty one', ''],
    ['a long one', 'k'.repeat(201)],
  ])('a key in the header: %s is refused, and nothing is stored', async (_, header) => {
    const refused = {
      problem: 'invalid',
      input: { field: 'Idempotency-Key', expected: expect.stringMatching(/^1 to 200 characters/) },
    };
    const deps = { office, people };
    const text = 'x';
    await expect(send(deps, { to: ['worker-1', '@me'], text }, header)).rejects.toMatchObject(refused);
    await expect(reply(deps, { to: 'worker-1', text }, header)).rejects.toMatchObject(refused);
    expect(stored()).toBe(0);
    expect((await send(deps, { to: ['worker-1'], text }, 'k'.repeat(200))).repeated).toBe(false);
  });

  test('a dry run says what would happen, to the person too, and stores nothing', async () => {
    const { plans } = await sending({ to: ['worker-1', '@me'], text: 'x', dry_run: true });
    expect(plans.map(({ to, way }) => [to.name, way])).toEqual([
      ['worker-1', 'wait'],
      ['@me', 'inbox'],
    ]);
    expect(stored()).toBe(0);
  });

  test.each<[string, Partial<SendRequest>, string]>([
    ['command', { command: true }, 'invalid'],
    ['wait_for', { wait_for: 'done' }, 'cannot_prove'],
    ['timeout_seconds', { timeout_seconds: 5 }, 'invalid'],
    ['notify_on_stop', { notify_on_stop: true }, 'invalid'],
    ['when', { when: 'idle' }, 'invalid'],
  ])('%s is refused for the person alone', async (field, more, problem) => {
    await expect(sending({ to: ['@me'], text: 'x', ...more })).rejects.toMatchObject({
      problem,
      input: { field },
    });
    expect(stored()).toBe(0);
  });

  test('from a session that is not there: refused where it was named, else not the word of a person', async () => {
    const refused = sending({ to: ['worker-1', '@me'], text: 'x', from: { session: 'nosuch' } });
    await expect(refused).rejects.toMatchObject({
      problem: 'not_found',
      input: { field: 'from.session', value: 'nosuch', expected: expect.stringContaining('sm ls') },
    });
    expect(stored()).toBe(0);
    const from = { session: 'deadbeef', inherited: true };
    expect((await sending({ to: ['worker-1'], text: 'x', from })).messages).toMatchObject([
      { from: { id: 'deadbeef', name: 'unknown' }, as: 'notice' },
    ]);
    expect(
      (await sending({ to: ['worker-1'], text: 'x', from: { ...from, name: 'ci' } })).messages,
    ).toMatchObject([{ from: { id: 'deadbeef', name: 'ci' }, as: 'notice' }]);
    // Nor does it answer the mail of the person.
    await sending({ to: ['@me'], text: 'may I?', from: as('worker-1') });
    await expect(replying({ text: 'yes', from })).rejects.toMatchObject({ problem: 'gone' });
  });

  test('@all leaves out what has ended', async () => {
    await add({ name: 'over', state: 'ended' });
    expect(names(await sending({ to: ['@all'], text: 'x', from: as('lead') }))).toEqual([
      'worker-1',
      'worker-2',
    ]);
  });
});

describe('an agent answers', () => {
  test('what it is handling, without an id, in the same conversation', async () => {
    const [first] = (await sending({ to: ['worker-1'], text: 'why?', from: as('lead') })).messages;
    await received(first?.id);
    const answer = await replying({ text: 'because', from: as('worker-1') });
    expect(answer).toMatchObject({
      answers: first?.id,
      inbox: [],
      messages: [{ to: { name: 'lead' }, in_reply_to: first?.id, thread: first?.id, text: 'because' }],
    });
    await received(answer.messages[0]?.id);
    const back = await replying({ text: 'I see', from: as('lead') });
    expect(back.messages).toMatchObject([
      { to: { name: 'worker-1' }, in_reply_to: answer.messages[0]?.id, thread: first?.id },
    ]);
    const thread = office.ledger.messages.inThread(first?.id ?? '', 10);
    expect(thread.map(({ text }) => text)).toEqual(['why?', 'because', 'I see']);
  });

  test('what it has just taken, though that is shown only a moment later', async () => {
    const [before] = (await sending({ to: ['worker-1'], text: 'first', from: as('worker-2') })).messages;
    await received(before?.id);
    const done: MessageEvent = { kind: 'done', evidence: 'hook', how: 'completed' };
    await office.ledger.record(office.find(before?.id ?? ''), done);
    const [now] = (await sending({ to: ['worker-1'], text: 'second', from: as('lead') })).messages;
    const attempt: MessageEvent = { kind: 'attempt', n: 1, epoch: 1, lease: 'l', way: 'door' };
    const taken = await office.ledger.record(office.find(now?.id ?? ''), attempt);
    const accepted = await office.ledger.record(taken, { kind: 'accepted', evidence: 'door' });
    const answer = replying({ text: 'to the second', from: as('worker-1') });
    await office.ledger.record(accepted, { kind: 'received', evidence: 'transcript', turn: 't2' });
    expect(await answer).toMatchObject({ answers: now?.id, messages: [{ to: { name: 'lead' } }] });
  });

  test('a person: into the inbox', async () => {
    const [asked] = (await sending({ to: ['worker-1'], text: 'why?' })).messages;
    await received(asked?.id);
    const { inbox, messages, answers } = await replying({ text: 'because', from: as('worker-1') });
    expect([messages, answers]).toEqual([[], asked?.id]);
    expect(inbox).toMatchObject([{ from: { name: 'worker-1' }, in_reply_to: asked?.id, thread: asked?.id }]);
    expect(told).toMatchObject([{ what: 'arrived' }]);
  });

  test('one whose sender has gone: an error, and nothing is kept', async () => {
    const [asked] = (await sending({ to: ['worker-1'], text: 'why?', from: as('lead') })).messages;
    await received(asked?.id);
    sessions.shift();
    const before = stored();
    await expect(replying({ text: 'because', from: as('worker-1') })).rejects.toMatchObject({
      problem: 'gone',
      message: expect.stringContaining('lead'),
    });
    expect(stored()).toBe(before);
  });

  test('twice with the same key: one answer, to what was handled then', async () => {
    const [asked] = (await sending({ to: ['worker-1'], text: 'why?', from: as('lead') })).messages;
    await received(asked?.id);
    const request = { text: 'because', from: as('worker-1'), key: 'k' };
    const first = await replying(request);
    const [later] = (await sending({ to: ['worker-1'], text: 'and?', from: as('worker-2') })).messages;
    await received(later?.id);
    const second = await replying(request);
    expect(second).toMatchObject({ repeated: true, answers: asked?.id });
    expect(second.messages.map(({ id }) => id)).toEqual(first.messages.map(({ id }) => id));
  });

  test('word of sm itself: there is nobody', async () => {
    const [row] = (
      await office.send([sessions[1] as Session], 'late', { session: null, name: 'sm' }, { command: false })
    ).rows;
    await received(row?.id);
    await expect(replying({ text: 'thanks', from: as('worker-1') })).rejects.toMatchObject({
      problem: 'not_found',
    });
    await expect(
      replying({ text: 'thanks', to: row?.id as string, from: as('worker-1') }),
    ).rejects.toMatchObject({ problem: 'invalid', message: expect.stringContaining('nobody to answer') });
  });
});

test('of what is unread the newest are listed, in their order; all of it is read at once', async () => {
  for (const text of ['a', 'b', 'c']) await sending({ to: ['@me'], text });
  const [first] = people.inbox.unread(3);
  await people.read(first as InboxRow);
  await sending({ to: ['@me'], text: 'd' });
  expect(people.inbox.unread(2).map(({ text }) => text)).toEqual(['c', 'd']);
  told.length = 0;
  expect([await people.readAll(), await people.readAll(), people.inbox.unreadCount()]).toEqual([3, 0, 0]);
  expect(told.map(({ what, row }) => [what, row.text])).toEqual(
    ['b', 'c', 'd'].map((text) => ['read', text]),
  );
});

describe('a person answers', () => {
  const mail = async (text: string, from: string): Promise<string> =>
    (await sending({ to: ['@me'], text, from: as(from) })).inbox[0]?.id ?? '';

  test('by id: to who wrote it, in the same conversation, and it counts as read', async () => {
    const id = await mail('may I?', 'worker-1');
    const answer = await replying({ text: 'yes', to: id.slice(0, 6) });
    expect(answer.messages).toMatchObject([
      { to: { name: 'worker-1' }, from: { name: 'user' }, as: 'prompt', in_reply_to: id, thread: id },
    ]);
    expect(people.inbox.get(id)?.read_at).not.toBeNull();
    expect(told.map(({ what }) => what)).toEqual(['arrived', 'read']);
  });

  test('by name: the newest of it that is unread', async () => {
    await mail('first', 'worker-1');
    const second = await mail('second', 'worker-1');
    await mail('other', 'worker-2');
    expect((await replying({ text: 'yes', to: 'worker-1' })).answers).toBe(second);
  });

  test('without a name only where one sender has written', async () => {
    await expect(replying({ text: 'yes' })).rejects.toThrow('nothing in the inbox is unread');
    const id = await mail('may I?', 'worker-1');
    await mail('or I?', 'worker-2');
    await expect(replying({ text: 'yes' })).rejects.toThrow('2 senders wait to be read');
    await people.read(people.find(id));
    expect((await replying({ text: 'yes' })).messages[0]?.to.name).toBe('worker-2');
  });

  test('what is not there', async () => {
    await expect(replying({ text: 'yes', to: 'nobody' })).rejects.toMatchObject({
      problem: 'not_found',
      input: { field: 'to', value: 'nobody' },
    });
  });

  test('one who has gone: an error, and the mail stays unread', async () => {
    const id = await mail('may I?', 'worker-2');
    sessions.pop();
    await expect(replying({ text: 'yes', to: id })).rejects.toMatchObject({ problem: 'gone' });
    expect(people.inbox.unreadCount()).toBe(1);
  });
});
