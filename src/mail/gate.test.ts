// Mail waits behind what its sender has in the agent's own queue, for as long as that may still be taken.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MailDesk } from '../../test/support/mail-desk.js';
import type { Status } from '../agents/index.js';
import type { MessageRow } from '../store/index.js';
import { olderHold } from './door-way.js';
import { agentHold, returnedHold } from './gate.js';
import { Ledger } from './ledger.js';

let desk: MailDesk;
let now: number;
beforeEach(async () => {
  desk = await MailDesk.open();
  now = Date.now();
});
afterEach(() => desk.close());

const accepted = async (): Promise<MessageRow> =>
  desk.attempted(await desk.message(), 'door', { kind: 'accepted', evidence: 'queue' });

const does = (status: Partial<Status>): void =>
  desk.becomes({ status: JSON.stringify({ epoch: 1, detail: null, since: 0, source: 'door', ...status }) });

const hold = (sender: string | null = 'other') =>
  agentHold(
    desk.session,
    { ledger: desk.ledger, clock: () => now },
    { mode: 'important', sender_session: sender },
  );

test('of the same sender only', async () => {
  const { id } = await accepted();
  expect(hold()).toMatchObject({ reason: 'agent_busy', detail: expect.stringContaining(id) });
  expect(hold(null)).toBeUndefined();
});

test('of an agent that rests no longer than a minute', async () => {
  await accepted();
  does({ state: 'idle', since: now + 10_000 });
  expect(hold()?.retryAt).toBe(now + 70_000);
  now += 70_000;
  expect(hold()).toBeUndefined();
});

test('of an agent that nobody knows to rest no longer than that either, and as long as a turn is known to run', async () => {
  await accepted();
  now += 61_000;
  expect(hold()).toBeUndefined();
  does({ state: 'busy' });
  expect(hold()).toMatchObject({ retryAt: undefined });
});

test('one that is stuck does not let mail pass another', async () => {
  await accepted();
  now += 61_000;
  const { id } = await desk.attempted(await desk.message(), 'door');
  await new Ledger(desk.store, () => now).record(desk.get(id), { kind: 'accepted', evidence: 'queue' });
  expect(hold()?.detail).toContain(id);
});

test('what the agent before had in its queue goes through the door of the next one first', async () => {
  const { id } = await accepted();
  expect(olderHold(desk.session, desk.ledger)).toBeUndefined();
  desk.becomes({ epoch: 2 });
  expect(olderHold(desk.session, desk.ledger)?.detail).toContain(id);
  await desk.ledger.record(desk.get(id), { kind: 'returned', reason: 'it has ended' });
  expect(olderHold(desk.session, desk.ledger)).toBeUndefined();
});

test('what its agent lets go of again and again is offered ever more rarely', async () => {
  const row = await desk.message();
  const again = async (): Promise<number | undefined> => {
    const { id } = await desk.attempted(desk.get(row.id), 'door', { kind: 'accepted', evidence: 'queue' });
    await desk.ledger.record(desk.get(id), { kind: 'returned', reason: 'stopped by a hook' });
    const { at } = desk.ledger.messages.events(id).at(-1) ?? { at: 0 };
    const retryAt = returnedHold(desk.ledger, row, at)?.retryAt;
    if (retryAt) expect(returnedHold(desk.ledger, row, retryAt)).toBeUndefined();
    return retryAt && retryAt - at;
  };
  expect([await again(), await again(), await again(), await again()]).toEqual([undefined, 2000, 4000, 8000]);
});
