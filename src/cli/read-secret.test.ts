// Keys at a terminal, as they become a secret.
import { expect, test } from 'vitest';
import { typeKeys } from './read-secret.js';

test.each([
  ['', 'pass', { at: 'typing', secret: 'pass' }],
  ['pass', 'word\r', { at: 'end', secret: 'password' }],
  ['', 'w\u00f6rd \u{1f511}\x7f\r', { at: 'end', secret: 'w\u00f6rd ' }],
  // Arrow keys, Delete, F1, Alt and a letter, Escape, Tab.
  ['pass', '\x1b[D\x1b[1;5C\x1b[3~\x1bOP\x1bb\tword\x1b', { at: 'typing', secret: 'password' }],
  ['wrong', '\x15right\r', { at: 'end', secret: 'right' }],
  ['half', '\x03', { at: 'given up' }],
  ['', '\x04', { at: 'given up' }],
  ['half', '\x04', { at: 'end', secret: 'half' }],
])('%j and %j', (before, keys, line) => expect(typeKeys(before, keys)).toEqual(line));
