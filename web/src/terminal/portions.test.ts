// A long paste goes in portions: all of it, in order, with whole characters.
import { expect, test } from 'vitest';
import { MOST_AT_ONCE, portionsOf } from './portions.js';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

test('a key is one portion; a long paste is several, none too large, and together they are what was pasted', () => {
  expect(portionsOf(encode('x'))).toEqual([encode('x')]);
  const pasted = encode('ä日🙂b'.repeat(40_000));
  const portions = portionsOf(pasted);
  expect(portions.length).toBeGreaterThan(5);
  expect(Math.max(...portions.map(({ length }) => length))).toBeLessThanOrEqual(MOST_AT_ONCE);
  expect(Buffer.concat(portions).equals(pasted)).toBe(true);
  for (const portion of portions) new TextDecoder('utf-8', { fatal: true }).decode(portion);
});

test('exactly full is one, and bytes that are no text are cut anywhere', () => {
  expect(portionsOf(encode('abcd'), 4)).toHaveLength(1);
  expect(portionsOf(new Uint8Array(9).fill(0x80), 4).flatMap((one) => [...one])).toHaveLength(9);
});
