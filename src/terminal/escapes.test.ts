// Every family of escape sequences, cut at every byte; and the whole of it against a real terminal emulator.
import xterm from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EscapeScanner, type TextSink } from './escapes.js';

// What is told, as one text: changes inside a line as ‹l›, of the screen as ‹s›.
class Script implements TextSink {
  readonly #bytes: number[] = [];
  text(bytes: Uint8Array, from: number, to: number): void {
    this.#bytes.push(...bytes.subarray(from, to));
  }
  spaces = (count: number): void => this.#say(' '.repeat(count));
  newlines = (count: number): void => this.#say('\n'.repeat(count));
  carriageReturn = (): void => this.#say('\r');
  lineChanged = (): void => this.#say('‹l›');
  screenChanged = (): void => this.#say('‹s›');
  #say(text: string): void {
    this.#bytes.push(...Buffer.from(text));
  }
  toString(): string {
    return Buffer.from(this.#bytes).toString('utf8');
  }
}

function told(...chunks: Uint8Array[]): string {
  const script = new Script();
  const scanner = new EscapeScanner(script);
  for (const chunk of chunks) scanner.scan(chunk);
  return script.toString();
}

const C1 = (byte: number, rest: string): Buffer =>
  Buffer.concat([Buffer.from('a'), Buffer.of(byte), Buffer.from(rest, 'latin1')]);

const FAMILIES: [string, string | Buffer, string][] = [
  ['text', 'a – ü 漢 🙂 b', 'a – ü 漢 🙂 b'],
  ['SGR', 'a\x1b[1;38:2::1:2:3mb\x1b[mc', 'abc'],
  ['cursor forward', 'a\x1b[3Cb\x1b[Cc', 'a   b c'],
  ['cursor down', 'a\x1b[2Bb\x1b[Bc', 'a‹s›\n\nb‹s›\nc'],
  ['next line', 'a\x1b[Eb', 'a‹s›\nb'],
  ['cursor up and to a place', 'a\x1b[Ab\x1b[2;3Hc\x1b[4dd', 'a‹s›b‹s›c‹s›d'],
  ['inside the line', 'a\bb\x1b[Dc\x1b[5Gd\x1b[2Pe', 'a‹l›b‹l›c‹l›d‹l›e'],
  ['erasing to the right and below', 'a\x1b[K\x1b[0K\x1b[Jb', 'ab'],
  ['erasing more', 'a\x1b[2Kb\x1b[2Jc\x1b[1Jd', 'a‹l›b‹s›c‹s›d'],
  ['the alternate screen', 'a\x1b[?1049hb\x1b[?25lc\x1b[?2026h', 'a‹s›bc'],
  ['keyboard protocols', 'a\x1b[>1ub\x1b[?uc\x1b[<ud', 'abcd'],
  ['repeat', 'a-\x1b[3bc', 'a----c'],
  ['intermediate bytes', 'a\x1b[2 qb\x1b[!pc\x1b[1$rd', 'abcd'],
  ['OSC with BEL', 'a\x1b]0;title ✜ [2J\x07b', 'ab'],
  ['OSC with ST', 'a\x1b]8;;http://x\x1b\\b', 'ab'],
  ['DCS', 'a\x1bPq#0;2;0\x07~\x1b\\b', 'ab'],
  ['DCS with ESC inside', 'a\x1bPtmux;\x1b\x1b[31mno\x1b\\b', 'ab'],
  ['APC', 'a\x1b_Gf=100;AAAA\x1b\\b', 'ab'],
  ['PM', 'a\x1b^secret\x1b\\b', 'ab'],
  ['SOS', 'a\x1bXsecret\x1b\\b', 'ab'],
  ['a title of screen', 'a\x1bkname\x1b\\b', 'ab'],
  ['charsets', 'a\x1b(0qqx\x1b(Bb\x1b)0\x0ex\x0fc', 'a---b-c'],
  ['save, restore, reset', 'a\x1b7b\x1b8c\x1bcd', 'ab‹s›c‹s›d'],
  ['index, next line, reverse index', 'a\x1bDb\x1bEc\x1bMd', 'a\nb\nc‹s›d'],
  ['line ends', 'a\r\nb\rc\x0bd\x0ce', 'a\r\nb\rc\nd\ne'],
  ['tab, bell, delete', 'a\tb\x07c\x7fd', 'a bcd'],
  ['controls inside a sequence', 'a\x1b[3\n1mb', 'a\nb'],
  ['cancelled', 'a\x1b[31\x18mb\x1b]0;t\x1ac', 'ambc'],
  ['escape in a sequence', 'a\x1b[3\x1b[1mb', 'ab'],
  ['too large a number', 'a\x1b[99999999999999Cb', `a${' '.repeat(1000)}b`],
  ['C1 CSI', C1(0x9b, '31mb'), 'ab'],
  ['C1 OSC', C1(0x9d, '0;t\x9cb'), 'ab'],
  ['C1 DCS', C1(0x90, 'q~\x9cb'), 'ab'],
  ['C1 APC', C1(0x9f, 'x\x9cb'), 'ab'],
  ['C1 PM', C1(0x9e, 'x\x9cb'), 'ab'],
  ['C1 SOS', C1(0x98, 'x\x9cb'), 'ab'],
  ['C1 NEL and RI', C1(0x85, 'b\x8dc'), 'a\nb‹s›c'],
  ['C1 in UTF-8', 'a\u009b31mb\u009d0;t\u009cc · d', 'abc · d'],
  ['no C1 in a character', 'a\u4e1b\u009b1mb \u271c \u25b6', 'a\u4e1bb \u271c \u25b6'],
];

describe('the scanner', () => {
  it.each(FAMILIES)('%s', (_, stream, expected) => {
    const bytes = Buffer.from(stream as string);
    expect(told(bytes)).toBe(expected);
    for (let at = 0; at <= bytes.length; at++)
      expect(told(bytes.subarray(0, at), bytes.subarray(at))).toBe(expected);
    expect(told(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toBe(expected);
  });

  it('goes on after a string that never ends, once that is given up', () => {
    const script = new Script();
    const scanner = new EscapeScanner(script);
    scanner.scan(Buffer.from('a\x1bPq12'));
    expect(scanner.isInString).toBe(true);
    scanner.reset();
    scanner.scan(Buffer.from('b'));
    expect(script.toString()).toBe('ab');
  });

  // Without what moves back or up: there the scanner only says that the screen decides.
  const word = fc.string({ unit: fc.constantFrom(...'abc <[:]>-é漢🙂'), minLength: 1, maxLength: 8 });
  const hidden = fc.string({ unit: fc.constantFrom(...'xyz01;?[ '), maxLength: 8 });
  const harmless = fc.oneof(
    fc.constantFrom(
      '\x1b[m',
      '\x1b[1;31m',
      '\x1b[38:5:1m',
      '\x1b[K',
      '\x1b[?25l',
      '\x1b[?2026h',
      '\x1b[>1u',
      '\x07',
    ),
    fc.constantFrom(
      '\x1b=',
      '\x1b(B',
      '\x1b[2 q',
      '\x1b[4h\x1b[4l',
      '\u009b1m',
      '\x1b[12\x18',
      '\x1b[5\x1b[m',
    ),
    fc
      .tuple(fc.constantFrom('\x1b]2;', '\u009d2;'), hidden, fc.constantFrom('\x07', '\x1b\\', '\u009c'))
      .map((s) => s.join('')),
    fc
      .tuple(
        fc.constantFrom('\x1bPq', '\x1b_', '\x1b^', '\x1bX', '\u0090q', '\u009e'),
        hidden,
        fc.constantFrom('\x1b\\', '\u009c'),
      )
      .map((s) => s.join('')),
  );
  const move = fc.oneof(
    fc.integer({ min: 0, max: 5 }).map((n) => `\x1b[${n || ''}C`),
    fc.integer({ min: 0, max: 3 }).map((n) => `\x1b[${n || ''}B\r`),
    fc.constantFrom('\r\n', '\r\n\r\n', '\x1bE', '\r\x0b', '\u0085'),
  );
  const stream = fc.array(fc.oneof(word, harmless, move), { maxLength: 25 }).map((parts) => parts.join(''));

  it('reads the text that a real terminal shows, wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(stream, fc.array(fc.nat(), { maxLength: 6 }), async (text, cuts) => {
        const bytes = Buffer.from(text);
        const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
        const chunks = at.slice(1).map((end, i) => bytes.subarray(at[i], end));
        const ours = told(...chunks).replace(/\r|‹s›/g, '');
        expect(trimmed(ours.split('\n'))).toEqual(trimmed(await shownBy(bytes)));
      }),
      { numRuns: 500 },
    );
  });
});

const trimmed = (lines: string[]): string[] => {
  const rows = lines.map((line) => line.trimEnd());
  while (rows.at(-1) === '') rows.pop();
  return rows;
};

async function shownBy(bytes: Uint8Array): Promise<string[]> {
  const terminal = new xterm.Terminal({ cols: 500, rows: 200, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(bytes, resolve));
  const { active } = terminal.buffer;
  const rows = Array.from(
    { length: active.length },
    (_, y) => active.getLine(y)?.translateToString(true) ?? '',
  );
  terminal.dispose();
  return rows;
}
