// What the API shows, from rows on disk.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MailDesk } from '../../test/support/mail-desk.js';
import type { PostOffice } from '../mail/index.js';
import { presentSession } from './present.js';

let desk: MailDesk;
let office: PostOffice;
beforeEach(async () => {
  desk = await MailDesk.open();
  const { ledger } = desk;
  const unknown = { state: 'unknown', detail: null };
  office = { ledger, statusOf: () => unknown, doorOf: () => undefined } as unknown as PostOffice;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await desk.close();
});

test('one session is shown by what waits for it, without counting what waits elsewhere', async () => {
  const first = await desk.message();
  await desk.message();
  await desk.ledger.record(first, { kind: 'held', reason: 'draft', detail: 'x' });
  const all = vi.spyOn(desk.ledger.messages, 'waitingCounts');
  expect(presentSession(desk.session, office)).toMatchObject({ pending: 2, held: 'draft' });
  expect(all).not.toHaveBeenCalled();
  // Whoever shows many has counted already.
  expect(presentSession(desk.session, office, new Map([['s', 1]]))).toMatchObject({ pending: 1 });
  expect(presentSession(desk.session, office, new Map())).toMatchObject({ pending: 0, held: null });
});
