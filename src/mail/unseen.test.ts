// An attempt through the box whose end nobody saw: the agent's records are asked, then its sender's wish decides.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MailDesk } from '../../test/support/mail-desk.js';
import type { Found } from '../agents/index.js';
import type { NewMessage } from '../store/index.js';
import { settleLost, settleUnseen } from './unseen.js';

let desk: MailDesk;
beforeEach(async () => {
  desk = await MailDesk.open();
});
afterEach(() => desk.close());

const RECEIVED: Found = { at: 'received', turn: 't', evidence: 'transcript' };
const NOWHERE: Found = { at: 'nowhere', evidence: 'not in the transcript' };
const UNKNOWN: Found = { at: 'unknown', reason: 'no transcript' };

// Its agent dies after Enter, and its records say this.
async function afterDeath(found: Found | Error, more: Partial<NewMessage> = {}, step = 'entered' as const) {
  const row = await desk.attempted(await desk.message(more), 'editor', { kind: 'typed', evidence: 'id' });
  desk.maker.findLast = async () => {
    if (found instanceof Error) throw found;
    return found;
  };
  desk.becomes({ state: 'ended' });
  await settleLost(desk.delivery, row, step);
  return { row: desk.get(row.id), last: desk.kinds(row.id).slice(3) };
}

const PERSON = { senderSession: null };

test.each<[string, Partial<NewMessage>]>([
  ["an agent's", {}],
  ["a person's", PERSON],
])('%s mail that its records show was received', async (_, more) => {
  const { row, last } = await afterDeath(RECEIVED, more);
  expect(row).toMatchObject({ state: 'settled', receipt: 'received', turn: 't' });
  expect(last).toEqual(['received', 'submitted']);
});

test.each<[string, Found | Error]>([
  ['do not show it', NOWHERE],
  ['are gone', UNKNOWN],
  ['cannot be read', new Error('EIO')],
])('records that %s: an agent’s mail goes again, a person’s stays uncertain', async (_, found) => {
  expect((await afterDeath(found)).row).toMatchObject({ state: 'pending', receipt: 'queued' });
  expect((await afterDeath(found, PERSON)).last).toEqual(['uncertain']);
  expect((await afterDeath(found, { surety: 'at_most_once' })).last).toEqual(['uncertain']);
  expect((await afterDeath(found, { ...PERSON, surety: 'at_least_once' })).last).toEqual(['again']);
});

test('a command carries no id, so its reader could not tell it from another', async () => {
  expect((await afterDeath(UNKNOWN, { command: true })).last).toEqual(['uncertain']);
});

test('before Enter nothing can have been taken', async () => {
  const row = await desk.attempted(await desk.message(PERSON), 'editor');
  await settleLost(desk.delivery, row, 'typed');
  expect(desk.kinds(row.id).at(-1)).toBe('refused');
});

test('a bell that its transcript does not show with its text goes again, whoever sent it', async () => {
  const queued = await desk.message(PERSON);
  const row = await desk.ledger.record(queued, {
    kind: 'attempt',
    n: 1,
    epoch: 1,
    lease: 'l',
    way: 'editor',
    bell: true,
  });
  desk.maker.findLast = async () => NOWHERE;
  desk.becomes({ state: 'gone' });
  await settleLost(desk.delivery, row, 'entered');
  expect(desk.get(row.id).state).toBe('pending');
});

test('a box that does not show what it holds: the agent that runs is asked', async () => {
  const row = await desk.attempted(await desk.message(PERSON), 'direct', { kind: 'typed', evidence: 'id' });
  desk.door = { find: async () => RECEIVED };
  await settleUnseen(desk.delivery, row, 'not seen');
  expect(desk.kinds(row.id).slice(3)).toEqual(['received', 'submitted']);
});

test('what its hooks have shown meanwhile is not uncertain', async () => {
  const row = await desk.attempted(await desk.message(PERSON), 'direct', {
    kind: 'received',
    turn: 't',
    evidence: 'hook',
  });
  await settleUnseen(desk.delivery, row, 'not seen');
  expect(desk.get(row.id)).toMatchObject({ state: 'settled', receipt: 'received' });
  expect(desk.kinds(row.id).at(-1)).toBe('submitted');
});
