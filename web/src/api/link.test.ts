// The connection: tried again ever more rarely, at once when somebody looks, never while signed out.
import { expect, test } from 'vitest';
import { CONNECTING, delayOf, type Link, type LinkEvent, nextLink } from './link.js';

const after = (events: LinkEvent[], from: Link = CONNECTING): Link => events.reduce(nextLink, from);
const closed: LinkEvent = { type: 'closed', now: 1000 };

test('the waits grow up to a limit, and begin anew once it was live', () => {
  expect([0, 1, 2, 5, 50].map(delayOf)).toEqual([500, 1000, 2000, 15_000, 15_000]);
  const twice = after([closed, { type: 'due' }, closed]);
  expect(twice).toEqual({ at: 'broken', tries: 1, until: 2000 });
  expect(after([{ type: 'due' }, { type: 'opened' }, closed], twice)).toEqual({
    at: 'broken',
    tries: 0,
    until: 1500,
  });
});

test('a second word of the same end changes nothing', () => {
  const once = after([closed]);
  expect(nextLink(once, { type: 'closed', now: 9000 })).toBe(once);
});

test('signed out it stays so until somebody signs in', () => {
  const out = after([{ type: 'signed_out' }, closed, { type: 'due' }, { type: 'opened' }]);
  expect(out).toEqual({ at: 'signed_out' });
  expect(nextLink(out, { type: 'signed_in' })).toEqual(CONNECTING);
});
