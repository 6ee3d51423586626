// Waiting for an agent to rest: on what happens, and never on a rest from before a send.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MailDesk } from '../../test/support/mail-desk.js';
import type { AgentState } from '../agents/status.js';
import type { MessageRow } from '../store/index.js';
import { IdleWait, type Rest } from './idle-wait.js';
import type { MessageEvent } from './lifecycle.js';

const ACCEPTED: MessageEvent = { kind: 'accepted', evidence: 'queue' };
const SUBMITTED: MessageEvent = { kind: 'submitted', evidence: 'box_empty' };
const RECEIVED: MessageEvent = { kind: 'received', turn: 't', evidence: 'hook' };
const DONE: MessageEvent = { kind: 'done', evidence: 'Stop hook', how: 'completed' };

let desk: MailDesk;
let now: number;
let waiter: IdleWait;
beforeEach(async () => {
  desk = await MailDesk.open();
  now = Date.now();
  waiter = new IdleWait({ ...desk, doors: desk.doors, registry: desk.registry, clock: () => now });
  says('idle', now - 60_000);
});
afterEach(() => desk.close());

function says(state: AgentState, since = now): void {
  const status = { epoch: desk.session.row.epoch, state, since, source: 'door', detail: null };
  desk.becomes({ status: JSON.stringify(status) });
}

const wait = (ms = 20_000, signal = new AbortController().signal): Promise<Rest> =>
  waiter.wait(desk.session, ms, signal);

async function waits(waiting: Promise<unknown>): Promise<boolean> {
  const later = new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 30));
  return Promise.race([waiting.then(() => false), later]);
}

const record = (row: MessageRow, event: MessageEvent): Promise<MessageRow> => desk.ledger.record(row, event);

test('at rest, with nothing sent: at once', async () => {
  expect(await wait()).toMatchObject({ outcome: 'reached', reason: null, status: { state: 'idle' } });
});

test('busy: when its turn ends', async () => {
  says('busy');
  const waiting = wait();
  expect(await waits(waiting)).toBe(true);
  says('idle');
  expect((await waiting).outcome).toBe('reached');
});

// The plan of the direct paste, point 8: waited for while task X runs, a message is queued behind it.
test('a message behind the running turn: not in the moment between the two turns', async () => {
  says('busy');
  const waiting = wait();
  let message = await desk.message();
  // Task X ends: at rest for a moment, and the message is not in yet.
  now += 1000;
  says('idle');
  expect(await waits(waiting)).toBe(true);
  message = await desk.attempted(message, 'direct', { kind: 'typed', evidence: 'id' });
  expect(await waits(waiting)).toBe(true);
  message = await record(message, SUBMITTED);
  expect(await waits(waiting)).toBe(true);
  message = await record(message, RECEIVED);
  expect(await waits(waiting)).toBe(true);
  says('busy');
  now += 1000;
  await record(message, DONE);
  expect(await waits(waiting)).toBe(true);
  says('idle');
  expect((await waiting).outcome).toBe('reached');
});

test('a message in its own queue when the turn before ends', async () => {
  says('busy');
  const message = await desk.attempted(await desk.message(), 'door', ACCEPTED);
  const waiting = wait();
  now += 1000;
  says('idle');
  expect(await waits(waiting)).toBe(true);
  await record(await record(message, RECEIVED), DONE);
  expect((await waiting).outcome).toBe('reached');
});

test('right after a send, though its rest is known for long and its work never was', async () => {
  const message = await desk.message();
  const waiting = wait();
  expect(await waits(waiting)).toBe(true);
  const taken = await desk.attempted(message, 'door', ACCEPTED, RECEIVED);
  expect(await waits(waiting)).toBe(true);
  await record(taken, DONE);
  expect((await waiting).outcome).toBe('reached');
});

test('a message that it will never show after a later one was shown keeps nobody', async () => {
  await desk.attempted(await desk.message(), 'direct', SUBMITTED);
  expect(waiter.judge(desk.session).kind).toBe('wait');
  await desk.attempted(await desk.message(), 'door', ACCEPTED, RECEIVED, DONE);
  now += 5000;
  says('busy');
  says('idle');
  expect((await wait()).outcome).toBe('reached');
});

test('what the process before was given says nothing of this one', async () => {
  await desk.attempted(await desk.message(), 'door', ACCEPTED, RECEIVED);
  expect(waiter.judge(desk.session).kind).toBe('wait');
  desk.telling.add(2);
  desk.becomes({ epoch: 2 });
  says('idle');
  expect((await wait()).outcome).toBe('reached');
});

test('of an agent that tells nothing, a rest from after the message counts', async () => {
  desk.telling.clear();
  await desk.attempted(await desk.message(), 'direct', SUBMITTED);
  expect(waiter.judge(desk.session)).toMatchObject({ kind: 'wait', at: expect.any(Number) });
  now += 1000;
  says('busy');
  says('idle');
  expect((await wait()).outcome).toBe('reached');
});

test('a message that expires, or is cancelled, is waited for no longer', async () => {
  const message = await desk.message();
  const waiting = wait();
  expect(await waits(waiting)).toBe(true);
  await record(message, { kind: 'expired', reason: 'too late' });
  expect((await waiting).outcome).toBe('reached');
});

test.each([
  ['ended', 'its program has ended'],
  ['gone', 'its pane is gone'],
] as const)('its session has %s: never', async (state, reason) => {
  says('busy');
  const waiting = wait();
  desk.becomes({ state });
  expect(await waiting).toMatchObject({ outcome: 'never', reason });
});

test('the time is over: why it was not reached', async () => {
  says('busy');
  expect(await wait(10)).toMatchObject({ outcome: 'timeout', reason: 'its turn is running' });
});

test('whoever asked has gone: nothing listens any more', async () => {
  says('busy');
  const gone = new AbortController();
  const before = desk.happened.size;
  const waiting = wait(20_000, gone.signal);
  expect(desk.happened.size).toBe(before + 1);
  gone.abort();
  await waiting;
  expect(desk.happened.size).toBe(before);
});
