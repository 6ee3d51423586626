// Addresses behind the #: each names one page and leads back to it.
import { expect, test } from 'vitest';
import { hrefOf, parseRoute, type Route } from './route.js';

const ROUTES: Route[] = [
  { page: 'sessions' },
  { page: 'session', id: '0a1b2c3d' },
  { page: 'session', id: 'a/b %' },
  { page: 'mail', list: 'dead' },
  { page: 'thread', id: '46aa5cd5d32d' },
  { page: 'inbox' },
  { page: 'reminders' },
  { page: 'ops', part: 'config' },
];

test('what is written is read back', () => {
  for (const route of ROUTES) expect(parseRoute(hrefOf(route))).toEqual(route);
});

test('what means nothing is the list of sessions, or the first of its kind', () => {
  expect(['', '#', '#/', '#/what/ever', '#/s/'].map((hash) => parseRoute(hash).page)).toEqual(
    Array(5).fill('sessions'),
  );
  expect(parseRoute('#/mail/nothing')).toEqual({ page: 'mail', list: 'queue' });
  expect(parseRoute('#/s/%E0%A4%A')).toEqual({ page: 'session', id: '%E0%A4%A' });
});
