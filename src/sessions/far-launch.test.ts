import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { farPlace } from './far-launch.js';

// A machine that runs here what it is told.
const here = {
  host: 'box',
  execute: async (script: string) => {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
    return { code: status ?? 1, stdout, stderr };
  },
};

test('the folder is the one that its machine names', async () => {
  expect(await farPlace(here, ['cat'], '/usr/./bin')).toBe('/usr/bin');
});

test('what is not there is named', async () => {
  await expect(farPlace(here, ['cat'], '/no/such')).rejects.toThrow(/no such folder on box: \/no\/such/);
  await expect(farPlace(here, ['cat'], 'tmp')).rejects.toThrow(/no such folder on box: tmp/);
  await expect(farPlace(here, ['no-such'], '/')).rejects.toThrow(/command not found on box: no-such/);
});

test('so is what does not answer', async () => {
  const silent = { host: 'box', execute: async () => undefined };
  await expect(farPlace(silent, ['cat'], '/srv')).rejects.toThrow(/no answer from box .* to go to \/srv/);
});
