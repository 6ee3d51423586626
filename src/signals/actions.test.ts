// Which actions a signal calls for.
import { expect, test } from 'vitest';
import type { SignalAction } from '../mail/index.js';
import { actionsOf, callsFor } from './actions.js';

const NOTE: SignalAction = { on: null, session: '*', effect: { kind: 'desktop' } };
const config = { signalStates: { blocked: { urgency: 'high', attention: true } } } as const;
const who = { id: '0232e721', name: 'worker-1', groups: ['reviewers'] };

test.each<[Partial<SignalAction>, string, boolean]>([
  [{}, 'needs_input', true],
  [{}, 'blocked', true],
  [{}, 'working', false],
  [{}, 'never heard of', false],
  [{ on: ['working'] }, 'working', true],
  [{ on: ['working'] }, 'needs_input', false],
  [{ session: 'worker-1' }, 'error', true],
  [{ session: 'worker' }, 'error', false],
  [{ session: 'worker-*' }, 'error', true],
  [{ session: '0232e721' }, 'error', true],
  [{ session: '@reviewers' }, 'error', true],
  [{ session: '@writers' }, 'error', false],
])('%j at %s: %s', (action, state, called) => {
  expect(callsFor({ ...NOTE, ...action }, { state }, who, config)).toBe(called);
});

const hook = (url: string, secret?: string): SignalAction => ({
  ...NOTE,
  effect: { kind: 'webhook', hook: { url, secret } },
});

test('an action is known by when it applies and whom it tells, not by its secret', () => {
  const prints = (...signalActions: SignalAction[]): string[] =>
    actionsOf({ signalActions }).map(({ print }) => print);
  const [print] = prints(hook('https://a.example', '0123456789abcdef'));
  expect(prints(hook('https://a.example', 'another one of 16'))).toEqual([print]);
  expect(prints(hook('https://b.example'))).not.toEqual([print]);
  expect(prints({ ...hook('https://a.example'), on: ['error'] })).not.toEqual([print]);
  // In whatever order the states stand.
  expect(prints({ ...NOTE, on: ['error', 'idle'] })).toEqual(prints({ ...NOTE, on: ['idle', 'error'] }));
  // Written down twice it is done once.
  expect(prints(NOTE, { ...NOTE }, hook('https://a.example'))).toHaveLength(2);
});
