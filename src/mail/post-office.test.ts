// Mail that waits behind what is in its agent's own queue is looked at as soon as that has left it.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MailDesk } from '../../test/support/mail-desk.js';
import { heldOf, type MessageEvent } from './lifecycle.js';
import { PostOffice, type PostOfficeDeps } from './post-office.js';

let desk: MailDesk;
let swaps: string;
let office: PostOffice;
beforeEach(async () => {
  desk = await MailDesk.open();
  swaps = fs.mkdtempSync(path.join(os.tmpdir(), 'smu-swaps-'));
  office = new PostOffice({
    ...desk,
    keeper: { dispose: async () => {} },
    doors: desk.doors,
    registry: { ...desk.registry, list: () => [desk.session] },
    config: {},
    newMessageId: () => randomBytes(6).toString('hex'),
    swapFolder: (id: string) => path.join(swaps, id),
    clock: Date.now,
    log: () => {},
  } as unknown as PostOfficeDeps);
});
afterEach(async () => {
  await office.dispose();
  await desk.close();
  fs.rmSync(swaps, { recursive: true, force: true });
});

test.each<MessageEvent>([
  { kind: 'received', turn: 't', evidence: 'hook' },
  { kind: 'uncertain', reason: 'it has ended' },
  { kind: 'returned', reason: 'never taken' },
])('$kind', async (event) => {
  const queued = await desk.attempted(await desk.message(), 'door', { kind: 'accepted', evidence: 'queue' });
  desk.session.row = { ...desk.session.row, paused: 1 };
  const sender = { session: null, name: 'user' };
  const {
    rows: [behind],
  } = await office.send([desk.session], 'hello', sender, { command: false });
  const reason = (id = ''): string | undefined => heldOf(desk.get(id))?.reason;
  await expect.poll(() => reason(behind?.id)).toBe('paused');
  // Nothing but what is recorded tells its courier of this.
  desk.session.row = { ...desk.session.row, state: 'gone', paused: 0 };
  await office.ledger.record(queued, event);
  await expect.poll(() => reason(event.kind === 'returned' ? queued.id : behind?.id)).toBe('session_gone');
});

test('the text behind the bell of a message that is cancelled goes', async () => {
  const forget = vi.fn();
  desk.door = { bell: { put: () => true, rung: () => {}, forget } };
  const message = await desk.message();
  await office.cancel(message);
  expect(forget).toHaveBeenCalledWith(message.id);
});

test('what nobody is sure of is not cancelled, and is not said to wait', async () => {
  const message = await desk.attempted(
    await desk.message(),
    'door',
    { kind: 'accepted', evidence: 'queue' },
    { kind: 'uncertain', reason: 'it has ended' },
  );
  await expect(office.cancel(message)).rejects.toThrow(`message #${message.id} is uncertain already`);
});

test('with a session goes the folder of its hand-overs', async () => {
  office.recover();
  for (const id of ['s', 'another']) fs.mkdirSync(path.join(swaps, id));
  fs.writeFileSync(path.join(swaps, 's', 'x.mark'), '');
  desk.happened.fire({ type: 'removed', session: desk.session });
  await expect.poll(() => fs.readdirSync(swaps)).toEqual(['another']);
});
