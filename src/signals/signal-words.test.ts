// A signal in words.
import { expect, test } from 'vitest';
import type { Signal } from './signal.js';
import { mailText, unknownPlaceholders } from './signal-words.js';

const SIGNAL: Signal = {
  ordinal: 1,
  session: '0232e721',
  seq: 7,
  state: 'needs_input',
  message: 'Which {name}?',
  id: null,
  door: 'command',
  at: 0,
  confidence: null,
};

test('who, in which state, and what it says; what it says is no placeholder', () => {
  expect(mailText(null, SIGNAL, 'api')).toBe(
    'api (session 0232e721) reports needs_input: Which {name}?\nTo write to it: sm send api "…"',
  );
  expect(mailText('{state}/{seq}: {message} [{session}] {name}', SIGNAL, 'api')).toBe(
    'needs_input/7: Which {name}? [0232e721] api',
  );
});

test('without a message there is no colon; what is inferred is no report', () => {
  expect(mailText(null, { ...SIGNAL, message: '', door: 'inferred' }, 'api')).toMatch(
    /^api \(session 0232e721\) seems to be in the state needs_input\n/,
  );
});

test('placeholders that mean nothing are found', () => {
  expect(unknownPlaceholders('{name} {nmae} {x}{message}')).toEqual(['nmae', 'x']);
});
