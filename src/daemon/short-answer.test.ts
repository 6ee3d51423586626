import { expect, test } from 'vitest';
import { type Known, shortAnswer } from './short-answer.js';

const waits: Known = {
  row: { mode: 'sequential', state: 'pending', receipt: 'queued' },
  position: 2,
  interrupted: false,
  held: undefined,
  ahead: { held: 'agent_busy' },
  plan: undefined,
};
const as = (row: Partial<Known['row']>, rest: Partial<Known> = {}): object =>
  shortAnswer({ ...waits, ...rest, row: { ...waits.row, ...row } });

test('one that waits: its place and what it waits for, and no other field', () => {
  expect(as({})).toEqual({
    status: 'queued',
    queue_position: 2,
    delivery_mode: 'sequential',
    estimated_delivery: 'waiting_for_idle',
  });
});

test.each(['submitted', 'received', 'done'] as const)('settled and %s: delivered', (receipt) => {
  const row = { mode: 'urgent', state: 'settled', receipt } as const;
  expect(as(row, { interrupted: true })).toEqual({
    status: 'delivered',
    delivery_mode: 'urgent',
    interrupted: true,
  });
  expect(as(row)).toMatchObject({ interrupted: false });
});

test('shown by its agent while its draft is still being put back: delivered', () => {
  expect(as({ state: 'attempting', receipt: 'received' })).toMatchObject({ status: 'delivered' });
});

test('typed, and in the box still: not delivered', () => {
  expect(as({ state: 'attempting', receipt: 'typed' })).toMatchObject({ status: 'queued' });
});

test("in its agent's own queue: not delivered, and without a place in ours", () => {
  expect(as({ state: 'accepted', receipt: 'submitted' })).toEqual({
    status: 'queued',
    queue_position: null,
    delivery_mode: 'sequential',
    estimated_delivery: 'in_agent_queue',
  });
});

test.each(['cancelled', 'expired', 'dead'] as const)('%s is said as it is', (state) => {
  expect(as({ state })).toEqual({ status: state, delivery_mode: 'sequential' });
});

test.each(['queued', 'typed'] as const)('settled and no more than %s: uncertain', (receipt) => {
  expect(as({ state: 'settled', receipt })).toMatchObject({ status: 'uncertain' });
});
