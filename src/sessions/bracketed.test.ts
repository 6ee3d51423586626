import { describe, expect, test } from 'vitest';
import { BracketedPasteWatch } from './bracketed.js';

function watch(...chunks: (string | Buffer)[]): boolean | undefined {
  const bracketed = new BracketedPasteWatch();
  for (const chunk of chunks) bracketed.feed(Buffer.from(chunk as string));
  return bracketed.on;
}

const ON = '\x1b[?2004h';
const OFF = '\x1b[?2004l';

test('nothing is known before the program has said anything about it', () => {
  expect(watch('hello', 'the year 2004h')).toBeUndefined();
});

test.each([
  ['switched on', [`x${ON}y`], true],
  ['switched off', [OFF], false],
  ['on and off again in one chunk', [`${ON}text${OFF}`], false],
  ['off and on again in one chunk', [`${OFF}text${ON}`], true],
  ['on and off again in two', [ON, OFF], false],
  ['together with other modes', ['\x1b[?1004;2004h'], true],
  ['only other modes', [ON, '\x1b[?25l\x1b[?1049l'], true],
  ['a mode whose number only looks like it', ['\x1b[?12004h\x1b[?20040h'], undefined],
  ['a mode of another kind', ['\x1b[2004h'], undefined],
])('%s', (_, chunks, on) => expect(watch(...chunks)).toBe(on));

describe.each([
  ['alone', ON],
  ['with another mode', '\x1b[?1004;2004h'],
  ['with the modes of a mouse', '\x1b[?1000;1002;1006;2004h'],
  ['with all modes that a program may ask for', '\x1b[?1049;1000;1002;1003;1006;1004;2004h'],
])('the sequence %s', (_, sequence) => {
  test('is seen wherever it is cut', () => {
    const text = `some text${sequence}`;
    const missed = Array.from({ length: text.length }, (_, at) => at).filter(
      (at) => watch(OFF, text.slice(0, at), text.slice(at)) !== true,
    );
    expect(missed).toEqual([]);
  });

  test('is seen when it comes byte by byte', () => {
    expect(watch(OFF, ...`before${sequence}after, for a while`)).toBe(true);
  });
});

test('an old sequence is not taken for a new one when chunks go on', () => {
  expect(watch(ON, OFF, 'a', 'b', 'c')).toBe(false);
  expect(watch(Buffer.from(`${OFF}${ON}`), ...'some more')).toBe(true);
});

test('bytes that are no text do no harm', () => {
  expect(watch(Buffer.from([0xff, 0xfe, 0xe4]), ON, Buffer.from([0x80]))).toBe(true);
});
