// The port that a daemon is told to take.
import { expect, test } from 'vitest';
import { portFrom } from './listen.js';

test.each([
  [undefined, undefined],
  ['', undefined],
  ['0', 0],
  ['4748', 4748],
])('%j is %j', (text, port) => expect(portFrom(text)).toBe(port));

test.each(['abc', '-1', '65536', '80a', '1.5'])('%j is refused by name, with what would be right', (text) => {
  expect(() => portFrom(text)).toThrow(`SM_PORT "${text}": must be a port, a number from 0 to 65535`);
});
