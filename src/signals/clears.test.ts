// Clears of the whole screen among other sequences, cut at every byte.
import { expect, it } from 'vitest';
import { Clears } from './clears.js';
import { Detector } from './detector.js';

it.each([
  ['\x1b[H\x1b[2J', true],
  ['\x1b[2J\x1b[H', true],
  ['\x1b[H\x1b[J', true],
  ['\x1b[1;1H\x1b[m\x1b[0J', true],
  ['\x1bc', true],
  ['text J \x1b[3A\x1b[J', false],
  ['\x1b[5;1H\x1b[J', false],
  ['\x1b[H\x1b[2K', false],
  ['\x1b[H and text of some length before it \x1b[J', false],
])('%j clears the screen: %s', (text, expected) => {
  const bytes = Buffer.from(`before ${text}behind`);
  for (let at = 0; at <= bytes.length; at++) {
    const chunks = [bytes.subarray(0, at), bytes.subarray(at)];
    const clears = new Clears();
    expect(chunks.map((chunk) => clears.feed(chunk)).includes(true), `cut at ${at}`).toBe(expected);
    for (const isPainted of [true, false]) {
      const detector = new Detector({ isPainted });
      for (const chunk of chunks) detector.feed(chunk);
      expect(detector.takeCleared(), `cut at ${at}`).toBe(expected);
      expect(detector.takeCleared()).toBe(false);
    }
  }
  const clears = new Clears();
  expect([...bytes].map((byte) => clears.feed(Buffer.of(byte))).includes(true)).toBe(expected);
});
