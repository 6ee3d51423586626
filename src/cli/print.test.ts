// What others have written can do nothing to the terminal that shows it.
import { expect, it } from 'vitest';
import { oneLine } from './print.js';

it.each([
  ['a\x1b[2Jb', 'a␛[2Jb'],
  ['a\u202eb\u2066c', 'a\\u202eb\\u2066c'],
  ['a \n b\tc', 'a ⏎ b c'],
  ['👩\u200d💻 é', '👩\u200d💻 é'],
])('%j becomes %j', (text, shown) => expect(oneLine(text)).toBe(shown));
