// Waiting for a signal, on events alone.
import { expect, test } from 'vitest';
import type { RegistryEvent, Session } from '../sessions/index.js';
import type { SignalQuery } from '../store/index.js';
import { Emitter } from '../tmux/index.js';
import type { Signal } from './signal.js';
import { type SignalGoal, waitForSignal } from './wait.js';

function scene() {
  const row = { signal_seq: 0, state: 'live', state_reason: null as string | null };
  const session = { id: 's', row } as unknown as Session;
  const kept: Signal[] = [];
  const heard = new Emitter<Signal>();
  const happened = new Emitter<RegistryEvent>();
  let present: Session | undefined = session;
  const deps = {
    registry: { get: () => present, onEvent: happened.event },
    desk: {
      onSignal: heard.event,
      lastOf: () => kept.at(-1),
      list: ({ after = 0, limit = 50 }: Partial<SignalQuery> = {}) =>
        kept.filter(({ seq }) => seq > after).slice(0, limit),
    },
  };
  return {
    listeners: () => heard.size + happened.size,
    say: (state: string): void => {
      const signal = { session: 's', seq: ++row.signal_seq, state } as Signal;
      kept.push(signal);
      heard.fire(signal);
    },
    becomes: (change: Partial<typeof row>): void => {
      Object.assign(row, change);
      happened.fire({ type: 'changed', session });
    },
    remove: (): void => {
      present = undefined;
      happened.fire({ type: 'removed', session });
    },
    wait: (goal: Partial<SignalGoal>, aborted = new AbortController().signal) =>
      waitForSignal(deps, session, { state: undefined, after: undefined, ...goal }, 60_000, aborted),
  };
}

test('the state that it is in counts; of any only a new one', async () => {
  const { say, wait, listeners } = scene();
  say('needs_input');
  expect(await wait({ state: 'needs_input' })).toMatchObject({ outcome: 'reached', signal: { seq: 1 } });
  const any = wait({});
  say('working');
  expect(await any).toMatchObject({ outcome: 'reached', signal: { seq: 2 } });
  expect(listeners()).toBe(0);
});

test('with a number, one that came since counts though it is over, also behind many others', async () => {
  const { say, wait } = scene();
  for (let i = 0; i < 1200; i++) say('working');
  say('needs_input');
  say('working');
  expect(await wait({ state: 'needs_input', after: 3 })).toMatchObject({ signal: { seq: 1201 } });
  expect(await wait({ after: 3 })).toMatchObject({ signal: { seq: 4 } });
  const next = wait({ state: 'needs_input', after: 1201 });
  say('needs_input');
  expect(await next).toMatchObject({ signal: { seq: 1203 } });
});

test('never, once its program has ended or it was removed; what was said before counts all the same', async () => {
  const { say, becomes, wait, remove } = scene();
  const ended = wait({ state: 'error' });
  becomes({ state: 'ended', state_reason: 'exit code 1' });
  expect(await ended).toEqual({ outcome: 'never', reason: 'exit code 1', signal: null });
  say('error');
  expect(await wait({ state: 'error' })).toMatchObject({ outcome: 'reached' });
  becomes({ state: 'live', state_reason: null });
  const removed = wait({ state: 'idle' });
  remove();
  expect(await removed).toMatchObject({ outcome: 'never', reason: 'the session was removed' });
});

test('whoever asked has gone', async () => {
  const { wait, listeners } = scene();
  const gone = new AbortController();
  const waiting = wait({ state: 'idle' }, gone.signal);
  gone.abort();
  expect(await waiting).toMatchObject({ outcome: 'timeout' });
  expect(listeners()).toBe(0);
});
