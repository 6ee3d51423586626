import { expect, test } from 'vitest';
import { type HostEvent, type HostState, nextHost } from './host-state.js';

const after = (events: readonly HostEvent[], state: HostState = { kind: 'idle' }): HostState =>
  events.reduce((before, event) => nextHost(before, event, 0, 1), state);
const lost: HostEvent = { type: 'failed', problem: 'lost', reason: 'cut' };

test('it is connected to when somebody needs it, and left when nobody does', () => {
  expect(after([{ type: 'wanted' }])).toEqual({ kind: 'connecting', tries: 0 });
  expect(after([{ type: 'wanted' }, { type: 'connected' }, { type: 'wanted' }])).toEqual({ kind: 'up' });
  expect(after([{ type: 'wanted' }, { type: 'connected' }, { type: 'unwanted' }, lost])).toEqual({
    kind: 'idle',
  });
});

test('each failure is waited out for longer, up to a minute, and a success forgets them', () => {
  const waits: number[] = [];
  let state = after([{ type: 'wanted' }]);
  for (let i = 0; i < 8; i++) {
    state = nextHost(state, lost, 0, 1);
    if (state.kind === 'down') waits.push(state.retryAt);
    state = nextHost(state, { type: 'due' }, 0, 1);
  }
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  const again = after([{ type: 'connected' }, lost], state);
  expect(again).toMatchObject({ kind: 'down', tries: 1, retryAt: 1000 });
});

test('what only a person can mend is not tried again and again', () => {
  const denied: HostEvent = { type: 'failed', problem: 'denied', reason: 'no' };
  expect(after([{ type: 'wanted' }, denied])).toMatchObject({ kind: 'down', retryAt: 60_000 });
});
