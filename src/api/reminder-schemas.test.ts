import { expect, test } from 'vitest';
import { RemindRequest } from './reminder-schemas.js';

const issue = (request: object) => RemindRequest.safeParse({ text: 'x', ...request }).error?.issues[0];

test.each([
  [{ in_seconds: 300 }],
  [{ at: '2026-07-25T17:30:00Z' }],
  [{ at: '2026-07-25T17:30:00+02:00', every_seconds: 86_400 }],
  [{ every_seconds: 600 }],
])('%j says when', (request) => {
  expect(issue(request)).toBeUndefined();
});

test.each([
  [{}, 'in_seconds', 'must be given, or at, or every_seconds'],
  [{ in_seconds: 0 }, 'in_seconds', 'must be more than 0'],
  [{ in_seconds: 4e7 }, 'in_seconds', 'must be at most 366 days'],
  [{ every_seconds: 0.5 }, 'every_seconds', 'must be at least 1'],
  [{ at: '17:30' }, 'at', 'must be a date and time with a zone, such as 2026-07-25T17:30:00Z'],
  [{ at: '2026-07-25T17:30:00Z', in_seconds: 5 }, 'at', 'must not be given together with in_seconds'],
  [{ in_seconds: 5, text: ' ' }, 'text', 'must hold more than blanks'],
])('%j is refused', (request, field, message) => {
  expect(issue(request)).toMatchObject({ path: [field], message });
});
