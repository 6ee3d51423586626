// A receipt is waited for as long as it can come, and no longer.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MailDesk } from '../../test/support/mail-desk.js';
import type { MessageRow } from '../store/index.js';
import type { MessageEvent } from './lifecycle.js';
import { Proofs } from './proofs.js';

let desk: MailDesk;
let proofs: Proofs;
beforeEach(async () => {
  desk = await MailDesk.open();
  proofs = new Proofs(desk);
});
afterEach(() => desk.close());

const ACCEPTED: MessageEvent = { kind: 'accepted', evidence: 'queue' };
const RECEIVED: MessageEvent = { kind: 'received', turn: 't', evidence: 'hook' };

const taken = async (): Promise<MessageRow> =>
  desk.attempted(await desk.message(), 'door', ACCEPTED, RECEIVED);

// Whether it is still waited for a moment later.
async function waits(waiting: Promise<unknown>): Promise<boolean> {
  const later = new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 30));
  return Promise.race([waiting.then(() => false), later]);
}

const forDone = (message: MessageRow): Promise<MessageRow> =>
  proofs.wait(message, 'done', 20_000, new AbortController().signal);

test('done can be asked for while its door may open yet, and is refused where none can', () => {
  expect(() => proofs.demand('done', [desk.session], { command: false })).not.toThrow();
  expect(() => proofs.demand('done', [desk.session], { command: true })).toThrow('can prove "submitted"');
  desk.telling.clear();
  expect(() => proofs.demand('done', [desk.session], { command: false })).toThrow('can prove "submitted"');
});

test('its agent has ended, and another has the pane: what it took is not done by that one', async () => {
  const waiting = forDone(await taken());
  expect(await waits(waiting)).toBe(true);
  desk.telling.delete(1);
  desk.telling.add(2);
  desk.becomes({ epoch: 2 });
  expect((await waiting).receipt).toBe('received');
});

test('its agent has ended, and its last words are being read: they are waited for', async () => {
  const message = await taken();
  const waiting = forDone(message);
  desk.becomes({ state: 'ended' });
  expect(await waits(waiting)).toBe(true);
  await desk.ledger.record(message, { kind: 'done', evidence: 'Stop hook', how: 'completed' });
  expect((await waiting).receipt).toBe('done');
});

test('what its agent gave back out of its own queue was never submitted', async () => {
  const accepted = await desk.attempted(await desk.message(), 'door', ACCEPTED);
  expect(proofs.outcome(accepted, 'submitted')).toBe('reached');
  const cancelled = await desk.ledger.record(accepted, { kind: 'cancelled', reason: 'taken back' });
  expect(proofs.outcome(cancelled, 'submitted')).toBe('never');
});

test('its door turns out to be shut after it was typed', async () => {
  const message = await desk.attempted(await desk.message(), 'direct', {
    kind: 'submitted',
    evidence: 'box_empty',
  });
  const waiting = forDone(message);
  expect(await waits(waiting)).toBe(true);
  desk.telling.clear();
  desk.happened.fire({ type: 'stirred', session: desk.session });
  expect((await waiting).receipt).toBe('submitted');
});

test("nobody can tell whether it left its agent's queue taken: not even submitted is reached", async () => {
  const message = await desk.attempted(await desk.message(), 'door', ACCEPTED);
  expect(proofs.outcome(message, 'submitted')).toBe('reached');
  const lost = await desk.ledger.record(message, { kind: 'uncertain', reason: 'its agent has ended' });
  expect(proofs.outcome(lost, 'submitted')).toBe('never');
});
