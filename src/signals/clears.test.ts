// Clears of the whole screen among other sequences.
import { expect, it } from 'vitest';
import { hasClear } from './clears.js';

it.each([
  ['\x1b[H\x1b[2J', true],
  ['\x1b[2J\x1b[H', true],
  ['\x1b[H\x1b[J', true],
  ['\x1b[1;1H\x1b[m\x1b[0J', true],
  ['\x1bc', true],
  ['text \x1b[3A\x1b[J', false],
  ['\x1b[5;1H\x1b[J', false],
  ['\x1b[H\x1b[2K', false],
])('%j clears the screen: %s', (text, expected) => expect(hasClear(Buffer.from(text))).toBe(expected));
