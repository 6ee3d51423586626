// What is wrong with a request, in words that say what would be right.
import { z } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import { sayInvalid } from './invalid.js';
import { SendRequest } from './message-schemas.js';
import { StartRequest, UpdateRequest } from './schemas.js';

const say = (schema: z.ZodType, input: unknown) => {
  const { error } = schema.safeParse(input);
  return sayInvalid(error?.issues ?? [], input, { whole: 'body', fields: 'somewhere' });
};

const send = { to: ['a'], text: 'x' };
const start = { command: ['a'] };
test.each<[string, z.ZodType, unknown, string, string]>([
  ['a missing field', SendRequest, { to: ['a'] }, 'text', 'must be given: a string'],
  ['a wrong kind', SendRequest, { ...send, text: 5 }, 'text', 'must be a string'],
  ['no object', SendRequest, 'x', 'body', 'must be an object'],
  ['no list', SendRequest, { ...send, to: 'a' }, 'to', 'must be a list'],
  ['an empty list', SendRequest, { ...send, to: [] }, 'to', 'must not be empty'],
  ['an empty key', SendRequest, { ...send, key: '' }, 'key', 'must not be empty'],
  [
    'a long key',
    SendRequest,
    { ...send, key: 'x'.repeat(201) },
    'key',
    'must be at most 200 characters long',
  ],
  ['a number that is too small', StartRequest, { ...start, width: 3 }, 'width', 'must be at least 20'],
  [
    'not more than nothing',
    SendRequest,
    { ...send, notify_after_seconds: 0 },
    'notify_after_seconds',
    'must be more than 0',
  ],
  ['a half', StartRequest, { ...start, width: 30.5 }, 'width', 'must be a whole number'],
  [
    'none of the words',
    SendRequest,
    { ...send, wait_for: 'x' },
    'wait_for',
    'must be submitted or received or done',
  ],
  ['no flag', SendRequest, { ...send, quiet: 'yes' }, 'quiet', 'must be true or false'],
  [
    'a variable with a bad name',
    StartRequest,
    { ...start, env: { '1X': 'a' } },
    'env.1X',
    'must have a name of letters, digits and "_" that does not start with a digit',
  ],
  [
    'two lines',
    UpdateRequest,
    { busy: 'a\nb' },
    'busy',
    'must be true, false, or one line of up to 200 characters that says with what',
  ],
  ['what a schema says itself', SendRequest, { ...send, text: ' ' }, 'text', 'must hold more than blanks'],
])('%s', (_, schema, input, field, expected) => {
  expect(say(schema, input)).toMatchObject({ field, expected, message: `${field}: ${expected}` });
});

test('a secret is not repeated', () => {
  const schema = z.object({ password: z.string().min(10) });
  const said = say(schema, { password: 'hunter2' });
  expect(JSON.stringify(said)).not.toContain('hunter2');
  expect(said).toMatchObject({ field: 'password', expected: 'must be at least 10 characters long' });
});
