import { expect, test } from 'vitest';
import { SendRequest } from './message-schemas.js';

test.each([
  ['', 'must not be empty'],
  [' \t\n', 'must hold more than blanks'],
])('the text %j is refused', (text, why) => {
  const { error } = SendRequest.safeParse({ to: ['api'], text });
  expect(error?.issues[0]).toMatchObject({ path: ['text'], message: why });
});

test('blanks around a text are a part of it', () => {
  expect(SendRequest.parse({ to: ['api'], text: ' a\n' }).text).toBe(' a\n');
});

test.each(['sm', 'SM', ' sm '])('nobody sends under the name %j but Suremail itself', (name) => {
  const { error } = SendRequest.safeParse({ to: ['api'], text: 'hello', from: { name } });
  expect(error?.issues[0]).toMatchObject({
    path: ['from', 'name'],
    message: expect.stringContaining('"sm"'),
  });
  expect(SendRequest.safeParse({ to: ['api'], text: 'hello', from: { name: 'smith' } }).success).toBe(true);
});
