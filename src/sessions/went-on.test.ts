// When an agent went on: what it asked for before that is over, also once it rests.
import { expect, test } from 'vitest';
import type { Status } from '../agents/index.js';
import { blankRow, Session } from './session.js';
import { forgotten, kept, reported } from './status.js';

function after(...reports: [Status['state'], number, Partial<Status>?][]): Session {
  const session = new Session({ ...blankRow('api', 0), state: 'live' }, {} as never);
  for (const [state, since, more] of reports)
    Object.assign(session.row, reported(session, { state, since, source: 'hook', detail: null, ...more }));
  return session;
}

test('it began to work, and rests again', () => {
  expect(after().wentOnAt).toBe(0);
  expect(after(['idle', 1]).wentOnAt).toBe(0);
  expect(after(['idle', 1], ['busy', 2]).wentOnAt).toBe(2);
  expect(after(['busy', 2], ['idle', 3]).wentOnAt).toBe(2);
  expect(after(['busy', 2], ['idle', 3], ['busy', 4], ['idle', 5]).wentOnAt).toBe(4);
  // Other words for the same turn; a screen.
  expect(after(['busy', 2], ['busy', 3, { detail: 'compacting' }]).wentOnAt).toBe(2);
  expect(after(['busy', 2, { source: 'screen' }]).wentOnAt).toBe(0);
});

test('its dialog was answered, or dismissed', () => {
  expect(after(['busy', 1], ['waiting', 2]).wentOnAt).toBe(1);
  expect(after(['busy', 1], ['waiting', 2], ['busy', 3], ['idle', 4]).wentOnAt).toBe(3);
  expect(after(['busy', 1], ['waiting', 2], ['idle', 3]).wentOnAt).toBe(3);
  expect(after(['busy', 1], ['waiting', 2], ['idle', 2]).wentOnAt).toBe(3);
});

test('is kept when what it does is known no longer', () => {
  const session = after(['busy', 2], ['idle', 3]);
  Object.assign(session.row, forgotten(session));
  expect([session.status, session.wentOnAt]).toEqual([undefined, 2]);
  Object.assign(session.row, kept(session, { state: 'gone', since: 5, source: 'process', detail: null }));
  expect([session.status?.state, session.wentOnAt]).toEqual(['gone', 2]);
  expect(forgotten(after())).toEqual({ status: null });
});
