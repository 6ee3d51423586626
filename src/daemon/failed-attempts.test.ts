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

test('the addresses of one network of IPv6 are one, and an address is the same however it is written', () => {
  const ten = Array.from({ length: 10 }).reduce<FailedAttempts>(
    (state, _, n) => failed(state, `2001:db8:0:1:${n}::${n}`, 0),
    NO_ATTEMPTS,
  );
  expect(waitFor(ten, '2001:db8::1:ffff:0:0:9', 'secret', 0)).toBe(5 * MINUTE);
  expect(waitFor(ten, '2001:db8:0:2::1', 'secret', 0)).toBe(0);
  expect(waitFor(fail(10, '::ffff:192.0.2.9'), '192.0.2.9', 'secret', 0)).toBe(5 * MINUTE);
  expect(waitFor(fail(10, '::ffff:192.0.2.9'), '::ffff:192.0.2.8', 'secret', 0)).toBe(0);
  expect(waitFor(fail(10, 'fe80::1%eth0'), 'fe80::2%eth0', 'secret', 0)).toBe(5 * MINUTE);
  expect(waitFor(fail(10, '::1'), '::1', 'secret', 0)).toBe(5 * MINUTE);
});

test('of very many addresses those that failed last are kept', () => {
  const many = Array.from({ length: 1500 }).reduce<FailedAttempts>(
    (state, _, n) => failed(failed(state, 'a', n), `address ${n}`, n),
    NO_ATTEMPTS,
  );
  expect(many.byAddress.size).toBe(1000);
  expect(waitFor(many, 'a', 'secret', 1500)).toBeGreaterThan(0);
});
