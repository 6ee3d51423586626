import { expect, test } from 'vitest';
import { type HostEvent, type HostState, nextHost } from './host-state.js';

const after = (events: readonly HostEvent[], state: HostState = { kind: 'idle' }): HostState =>
  events.reduce((before, event) => nextHost(before, event, 0, 1), state);
const lost: HostEvent = { type: 'failed', problem: 'lost', reason: 'cut' };

test('it is connected to when somebody needs it, and left when nobody does', () => {
  expect(after([{ type: 'wanted' }])).toEqual({ kind: 'connecting', tries: 0 });
  expect(after([{ type: 'wanted' }, { type: 'connected' }, { type: 'wanted' }])).toMatchObject({
    kind: 'up',
  });
  expect(after([{ type: 'wanted' }, { type: 'connected' }, { type: 'unwanted' }, lost])).toEqual({
    kind: 'idle',
  });
});

test('of one that nobody needs it is known why it was not reached, until it is', () => {
  const left = after([{ type: 'wanted' }, lost, { type: 'unwanted' }, { type: 'unwanted' }]);
  expect(left).toEqual({ kind: 'idle', reason: 'cut' });
  const reached = [{ type: 'wanted' }, { type: 'connected' }, { type: 'unwanted' }] as const;
  expect(after(reached, left)).toEqual({ kind: 'idle' });
});

test('each failure is waited out for longer, up to a minute', () => {
  const waits: number[] = [];
  let state = after([{ type: 'wanted' }]);
  for (let i = 0; i < 8; i++) {
    state = nextHost(state, lost, 0, 1);
    if (state.kind === 'down') waits.push(state.retryAt);
    state = nextHost(state, { type: 'due' }, 0, 1);
  }
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
});

test('a connection that held makes the next wait short; one that is lost at once does not', () => {
  const down: HostState = { kind: 'down', problem: 'lost', reason: 'gone', tries: 5, retryAt: 0 };
  const up = after([{ type: 'due' }, { type: 'connected' }], down);
  expect(nextHost(up, lost, 9_999, 1)).toMatchObject({ kind: 'down', tries: 6, retryAt: 9_999 + 32_000 });
  expect(nextHost(up, lost, 10_000, 1)).toMatchObject({ kind: 'down', tries: 1, retryAt: 11_000 });
});

test('what only a person can mend is not tried again and again', () => {
  const denied: HostEvent = { type: 'failed', problem: 'denied', reason: 'no' };
  expect(after([{ type: 'wanted' }, denied])).toMatchObject({ kind: 'down', retryAt: 60_000 });
});
