// A file that cannot be made.
import { expect, test } from 'vitest';
import { privateFile } from './private-file.js';

test('where there is no such folder, that is said', async () => {
  await expect(privateFile('/nonexist/x')).rejects.toMatchObject({
    message: '"/nonexist/x" cannot be made in /nonexist: there is no such folder',
    exit: 2,
  });
});
