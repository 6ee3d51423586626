// What a stream leaves behind is the same wherever it is cut.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StreamState } from './stream-state.js';

const after = (...chunks: (string | Buffer)[]) => {
  const state = new StreamState();
  for (const chunk of chunks) state.feed(Buffer.from(chunk as string));
  const { unfinished, modes, ...rest } = state.facts();
  return { ...rest, modes: Object.fromEntries(modes), unfinished: unfinished.toString('latin1') };
};

test('the style in force: set, changed, taken back, saved and restored', () => {
  expect(after('\x1b[1;31mred').pen).toBe('1;31');
  expect(after('\x1b[38;5;100m\x1b[48;2;1;2;3mx').pen).toBe('48;2;1;2;3;38;5;100');
  expect(after('\x1b[1;31mred\x1b[m').pen).toBe('');
  expect(after('\x1b[31m\x1b7\x1b[32m\x1b8').pen).toBe('31');
  expect(after('\x1b[31m\x1b[?1049h\x1b[0m\x1b[?1049l').pen).toBe('31');
  // XTMODKEYS ends in m too.
  expect(after('\x1b[>4;2m').pen).toBe('');
});

test('modes and the shape of the cursor', () => {
  expect(after('\x1b[?1004;2004h\x1b[?2004l\x1b[5 q')).toMatchObject({
    modes: { 1004: true, 2004: false },
    cursorShape: 5,
  });
  expect(after('\x1b[?2004h\x1b[5 q\x1bc')).toMatchObject({ modes: {}, cursorShape: 0 });
});

test.each([
  ['x\x1b', '\x1b'],
  ['x\x1b[3', '\x1b[3'],
  ['x\x1b]0;tit', '\x1b]0;tit'],
  ['x\x1b]0;tit\x1b', '\x1b]0;tit\x1b'],
  ['x\x1bP$q', '\x1bP$q'],
  ['x\x1b(', '\x1b('],
  ['x\x1b]0;title\x07y', ''],
  ['x\x1b]0;title\x1b\\y', ''],
  ['x\x1b]0;title\x1b[3', '\x1b[3'],
  ['x\x1b[31\x18y', ''],
])('%j has begun and not ended: %j', (stream, unfinished) => {
  expect(after(stream).unfinished).toBe(unfinished);
});

test('a character that is cut is one that has not ended', () => {
  const bytes = Buffer.from('a漢');
  expect(after(bytes.subarray(0, 2)).unfinished).toBe('\xe6');
  expect(after(bytes.subarray(0, 3)).unfinished).toBe('\xe6\xbc');
  expect(after(bytes).unfinished).toBe('');
});

test('a sequence without end is given up, not kept', () => {
  expect(after(`\x1b]52;c;${'x'.repeat(100_000)}`).unfinished).toBe('');
});

test('wherever it is cut', () => {
  const piece = fc.constantFrom(
    'text',
    '漢字',
    '\x1b[1;31m',
    '\x1b[m',
    '\x1b[?2004h',
    '\x1b[?1004l',
    '\x1b]0;t\x07',
    '\x1b]8;;u\x1b\\',
    '\x1bP+q\x1b\\',
    '\x1b7',
    '\x1b8',
    '\x1b[2 q',
    '\x1b(B',
    '\x1b[3',
    '\x1b',
  );
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.nat(200)), (pieces, cuts) => {
      const whole = Buffer.from(pieces.join(''));
      const places = [...new Set(cuts.map((cut) => Math.min(cut, whole.length)))].sort((a, b) => a - b);
      const chunks = [0, ...places].map((from, n) => whole.subarray(from, places[n] ?? whole.length));
      expect(after(...chunks)).toEqual(after(whole));
    }),
  );
});
