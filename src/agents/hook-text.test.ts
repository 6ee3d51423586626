import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type HookSettings, withHooks, withoutHooks } from './hook-text.js';

const OURS: HookSettings = {
  Stop: [{ hooks: [{ command: 'ours', n: 1 }, { command: 'ours' }] }],
  Start: [{ hooks: [{ command: 'ours' }] }],
};
const isOurs = (hook: unknown): boolean => (hook as { command?: unknown }).command === 'ours';

// JSON as a person may write it: any white space, numbers and strings in forms that no program writes.
const gap = fc.constantFrom('', ' ', '\n', '\r\n\t', '\n    ', ' \n\n ');
const scalar = fc.constantFrom('1.0e2', '9007199254740993', '-0.0', '"\\u0041\\/"', '"é,]}"', 'null', '" "');
const list = (items: fc.Arbitrary<string>, [open, close]: [string, string]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(fc.tuple(gap, items, gap), { maxLength: 3 }), gap)
    .map(([all, inner]) => `${open}${all.map((parts) => parts.join('')).join(',') || inner}${close}`);
const property = (key: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(key, gap, gap, value).map(([name, a, b, text]) => `"${name}"${a}:${b}${text}`);
const object = (...properties: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  list(fc.oneof(...properties), ['{', '}']);
const named = (name: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  property(fc.constant(name), value);

const other = property(fc.constantFrom('a', 'b'), fc.oneof(scalar, list(scalar, ['[', ']'])));
const hooks = list(object(other), ['[', ']']);
const group = fc
  .tuple(gap, named('hooks', hooks), gap, fc.option(other))
  .map(([a, inner, b, more]) => `{${a}${inner}${b}${more ? `,${more}` : ''}}`);
const event = property(fc.constantFrom('Stop', 'St\\u006fp', 'Else'), list(group, ['[', ']']));
const settings = fc
  .tuple(fc.constantFrom('', '\ufeff'), gap, object(other, named('hooks', object(event))), gap)
  .map((parts) => parts.join(''));

test('any settings: ours are put in between, and taken out of what is there now to the byte', () => {
  fc.assert(
    fc.property(settings, (text) => {
      const after = withHooks(text, OURS);
      const before = JSON.parse(text.replace('\ufeff', ''));
      const expected = { ...before, hooks: { ...before.hooks } };
      for (const [name, groups] of Object.entries(OURS))
        expected.hooks[name] = [...(expected.hooks[name] ?? []), ...groups];
      expect(JSON.parse(after.replace('\ufeff', ''))).toEqual(expected);
      expect(isWithin(text, after)).toBe(true);
      // Not as it was written any more: the space at its end is the user's.
      expect(withoutHooks(`${after} `, text, isOurs)).toBe(`${text} `);
    }),
    { numRuns: 500 },
  );
});

test('without a record of how it was, everything but an emptied list stays', () => {
  fc.assert(
    fc.property(settings, (text) => {
      const left = withoutHooks(withHooks(text, OURS), '', isOurs);
      expect(() => JSON.parse(left.replace('\ufeff', ''))).not.toThrow();
      expect(left).not.toContain('ours');
      expect(isWithin(left, text)).toBe(true);
    }),
  );
});

// All characters of one text, in their order, in another.
function isWithin(small: string, big: string): boolean {
  let at = 0;
  for (const char of big) if (char === small[at]) at++;
  return at === small.length;
}
