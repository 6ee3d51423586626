// Failures count for five minutes, for each address and in all; what cannot be guessed is kept out by its own alone.
import { expect, test } from 'vitest';
import { type FailedAttempts, failed, forgiven, NO_ATTEMPTS, waitFor } from './failed-attempts.js';

const MINUTE = 60_000;
const fail = (times: number, address: string, from: FailedAttempts = NO_ATTEMPTS, now = 0): FailedAttempts =>
  Array.from({ length: times }).reduce<FailedAttempts>((state) => failed(state, address, now), from);

test('ten failures of one address keep that address out until the oldest is forgotten', () => {
  expect(waitFor(fail(9, 'a'), 'a', 'guess', 0)).toBe(0);
  const ten = failed(fail(9, 'a'), 'a', MINUTE);
  expect(waitFor(ten, 'a', 'guess', MINUTE)).toBe(4 * MINUTE);
  expect(waitFor(ten, 'a', 'secret', MINUTE)).toBe(4 * MINUTE);
  expect(waitFor(ten, 'b', 'guess', MINUTE)).toBe(0);
  expect(waitFor(ten, 'a', 'guess', 5 * MINUTE)).toBe(0);
});

test('fifty in all keep every guess out, and no secret of another address', () => {
  const many = Array.from({ length: 50 }).reduce<FailedAttempts>(
    (state, _, n) => failed(state, `address ${n}`, n),
    NO_ATTEMPTS,
  );
  expect(waitFor(many, 'new', 'guess', 50)).toBe(5 * MINUTE - 50);
  expect(waitFor(many, 'new', 'secret', 50)).toBe(0);
});

test('what is forgotten is not kept', () => {
  const later = failed(fail(10, 'a'), 'b', 6 * MINUTE);
  expect([...later.byAddress.keys()]).toEqual(['b']);
  expect(later.inAll).toEqual([6 * MINUTE]);
});

test('one that has come in does not count, the failures beside it do', () => {
  const eleven = failed(fail(9, 'a'), 'a', 7);
  expect(waitFor(forgiven(eleven, 'a', 7), 'a', 'guess', 7)).toBe(0);
  expect(forgiven(eleven, 'a', 7)).toEqual(fail(9, 'a'));
});
