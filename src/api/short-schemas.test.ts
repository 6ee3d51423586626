import { expect, test } from 'vitest';
import { ShortSendRequest } from './short-schemas.js';

test.each(Object.keys(ShortSendRequest.shape).filter((field) => field !== 'text'))(
  '%s that is null counts as not given',
  (field) => expect(ShortSendRequest.safeParse({ text: 'hello', [field]: null }).error).toBeUndefined(),
);

test('a text is not left out', () => {
  expect(ShortSendRequest.safeParse({ text: null }).success).toBe(false);
});
