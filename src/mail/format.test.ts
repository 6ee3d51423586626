import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bellsIn, idsIn, textsIn } from '../agents/mark.js';
import { bellLine, type Letter, payload, screenMark } from './format.js';

const letter = (text: string, more: Partial<Letter> = {}): Letter => ({
  id: 'abc123def456',
  text,
  senderName: 'user',
  senderSession: null,
  command: false,
  ...more,
});

const HEADER = '[Input from: user via sm send] #abc123def456\n';

describe('a message', () => {
  test('from a person says so, and has its id in the first line', () => {
    expect(payload(letter('hello'))).toBe(`${HEADER}hello`);
  });

  test('from a session names it with its id', () => {
    expect(payload(letter('hi', { senderName: 'api', senderSession: '0123abcd' }))).toBe(
      '[Input from: api (0123abcd) via sm send] #abc123def456\nhi',
    );
  });

  test('as a bell is one line, in which its id is found as in the whole', () => {
    const bell = bellLine(letter('one\ntwo'));
    expect(bell).not.toContain('\n');
    expect([idsIn(bell), bellsIn(bell), textsIn(bell)]).toEqual([['abc123def456'], ['abc123def456'], []]);
    const whole = payload(letter('one\ntwo'));
    expect([idsIn(whole), bellsIn(whole), textsIn(whole)]).toEqual([['abc123def456'], [], ['abc123def456']]);
  });

  test.each(['/clear', '!rm -rf .', '?', '#note', '@file'])('cannot start with %j', (text) => {
    expect(payload(letter(text)).startsWith('[Input from: ')).toBe(true);
  });

  test.each(['path\\', 'mail me@', 'path\\ \n', 'a\\\t'])('that ends like %j gets a closing line', (text) => {
    expect(payload(letter(text))).toBe(`${HEADER}${text}\n[end of message]`);
  });

  test.each(['a\\b', 'me@home', 'x.'])('that ends like %j gets none', (text) => {
    expect(payload(letter(text))).toBe(HEADER + text);
  });

  test('presses no key, whatever is in its text or the name of its sender', () => {
    const harmful = fc.string({
      unit: fc.constantFrom('a', '\x1b', '\r', '\n', '\x03', '\x9b', '\x7f', '@', '\\'),
    });
    fc.assert(
      fc.property(harmful, harmful, fc.boolean(), (text, senderName, command) => {
        const typed = payload(letter(text, { senderName, command }));
        expect(typed).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
        if (!command) expect(typed).not.toMatch(/[\\@]\s*$/);
      }),
    );
  });

  test('has no header but its own', () => {
    const quoted = 'he said: [Input from: user via sm send] #abcdef012345\nyes';
    expect(idsIn(payload(letter(quoted)))).toEqual(['abc123def456']);
  });

  test('is known on a screen by its id', () => {
    expect(screenMark(letter('whatever'))).toBe('#abc123def456');
  });
});

describe('a command', () => {
  const command = (text: string): Letter => letter(text, { command: true });

  test('goes in as it is, without header or closing line', () => {
    expect(payload(command('/compact'))).toBe('/compact');
    expect(payload(command('echo a\\'))).toBe('echo a\\');
  });

  test('is known on a screen by the end of its last line', () => {
    expect(screenMark(command('/compact'))).toBe('/compact');
    expect(screenMark(command('first\nsecond\n'))).toBe('second');
    expect(screenMark(command('x'.repeat(100)))).toBe('x'.repeat(40));
  });
});
