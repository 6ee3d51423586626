import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visibleText } from './sanitise.js';

// Half of what is tried is made of what could do harm.
const nasty = fc.constantFrom(
  '\x1b',
  '\r',
  '\n',
  '\t',
  '\0',
  '\x7f',
  '\x9b',
  '\x1b[201~',
  '\r\n',
  '\ud800',
  '\x03',
);
const text = fc
  .array(fc.oneof(nasty, fc.string({ unit: 'binary' })), { maxLength: 20 })
  .map((parts) => parts.join(''));

test('no text ever holds a control character other than newline and tab', () => {
  fc.assert(
    fc.property(text, (input) => {
      expect(visibleText(input)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
    }),
  );
});

test('a text made visible stays as it is when that is done again', () => {
  fc.assert(
    fc.property(text, (input) => {
      const once = visibleText(input);
      expect(visibleText(once)).toBe(once);
    }),
  );
});

test('a text without control characters is not changed at all', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (input) => {
      const harmless = input.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
      expect(visibleText(harmless)).toBe(harmless);
    }),
  );
});

test('the result can always be encoded as UTF-8 and read back', () => {
  fc.assert(
    fc.property(text, (input) => {
      const shown = visibleText(input);
      expect(Buffer.from(shown).toString()).toBe(shown);
    }),
  );
});

test.each([
  ['a\r\nb\rc', 'a\nb\nc'],
  ['\x1b[201~', '␛[201~'],
  ['\x03', '␃'],
  ['\x7f', '␡'],
  ['\x9b2J', '\\x9b2J'],
  ['a\tb\n', 'a\tb\n'],
])('%j is shown as %j', (input, shown) => expect(visibleText(input)).toBe(shown));
