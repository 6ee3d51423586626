import { expect, test } from 'vitest';
import { farPlace } from './far-launch.js';

// The answers of a machine, one after the other.
const machine = (...answers: ({ code: number; stdout: string; stderr: string } | undefined)[]) => ({
  host: 'box',
  execute: async () => answers.shift(),
});
const ok = { code: 0, stdout: '/srv/api\n', stderr: '' };
const no = { code: 1, stdout: '', stderr: 'no' };

test('the folder is the one that its machine names', async () => {
  expect(await farPlace(machine(ok, ok), ['cat'], '/srv/./api')).toBe('/srv/api');
});

test.each([
  [machine(no), /no such folder on box: \/srv/],
  [machine(undefined), /no answer about a folder from box: \/srv/],
  [machine(ok, no), /command not found on box: cat/],
  [machine(ok, undefined), /no answer about a command from box: cat/],
])('what is not there, and what does not answer, is named', async (host, message) => {
  await expect(farPlace(host, ['cat'], '/srv')).rejects.toThrow(message);
});
