// A message that was not delivered in time expires: while a daemon runs, while none does, in an agent's queue, in an attempt.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MailDesk } from '../../test/support/mail-desk.js';
import type { Door } from '../agents/index.js';
import { Deadlines } from './deadlines.js';
import type { MessageEvent } from './lifecycle.js';

let desk: MailDesk;
let now = 0;
let door: Partial<Door> | undefined;
let deadlines: Deadlines;
beforeEach(async () => {
  desk = await MailDesk.open();
  now = Date.now();
  door = undefined;
  deadlines = new Deadlines({
    ledger: desk.ledger,
    clock: () => now,
    doorOf: () => door as Door | undefined,
    log: (message, details) => expect.unreachable(`${message} ${JSON.stringify(details)}`),
  });
});
afterEach(async () => {
  await deadlines.dispose();
  await desk.close();
});
const stateOf = (id: string): string => desk.get(id).state;

test('what fell due while no daemon ran expires at once; the rest waits', async () => {
  const late = await desk.message({ expiresAt: now - 1 });
  const early = await desk.message({ expiresAt: now + 1000 });
  const never = await desk.message();
  await deadlines.start();
  expect([late, early, never].map(({ id }) => stateOf(id))).toEqual(['expired', 'pending', 'pending']);
});

test('one that is sent later expires in its time', async () => {
  await deadlines.start();
  const message = await desk.message({ expiresAt: now + 30 });
  now += 31;
  await expect.poll(() => stateOf(message.id)).toBe('expired');
});

test('one that is being delivered is not touched; if that comes to nothing, it expires then', async () => {
  await deadlines.start();
  const row = await desk.attempted(await desk.message({ expiresAt: now + 5 }), 'direct');
  now += 10;
  await deadlines.start();
  expect(stateOf(row.id)).toBe('attempting');
  await desk.ledger.record(row, { kind: 'refused', reason: 'user_typing' });
  await expect.poll(() => stateOf(row.id)).toBe('expired');
});

test.each([
  ['gives it back', true, 'expired'],
  ['does not', false, 'accepted'],
])("in its agent's queue, which %s", async (_, gives, state) => {
  let asked = 0;
  door = {
    withdraw: async () => {
      asked++;
      return gives;
    },
  };
  const message = await desk.message({ expiresAt: now + 1 });
  await desk.attempted(message, 'door', { kind: 'accepted', evidence: 'queue' });
  now += 2;
  await deadlines.start();
  expect(stateOf(message.id)).toBe(state);
  // It is not asked again and again.
  await deadlines.start();
  expect(asked).toBe(1);
});

test("one whose attempt outlasts its time and ends in its agent's queue is taken back then, and asked for once", async () => {
  const asked: string[] = [];
  door = {
    withdraw: async (id) => {
      asked.push(id);
      return id === given.id;
    },
  };
  await deadlines.start();
  const given = await desk.attempted(await desk.message({ expiresAt: now + 5 }), 'door');
  const kept = await desk.attempted(await desk.message({ expiresAt: now + 5 }), 'door');
  now += 10;
  await deadlines.start();
  expect(asked).toEqual([]);
  for (const row of [given, kept]) await desk.ledger.record(row, { kind: 'accepted', evidence: 'queue' });
  await expect.poll(() => stateOf(given.id)).toBe('expired');
  await expect.poll(() => asked).toEqual([given.id, kept.id]);
  const hold: MessageEvent = { kind: 'held', reason: 'agent_busy', detail: 'it works' };
  await desk.ledger.record(desk.get(kept.id), hold);
  await deadlines.start();
  expect([stateOf(kept.id), asked.length]).toEqual(['accepted', 2]);
});
