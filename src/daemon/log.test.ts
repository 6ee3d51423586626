// A log that cannot be written.
import fs from 'node:fs';
import { expect, test } from 'vitest';
import { openLog } from './log.js';

test.runIf(fs.existsSync('/dev/full'))('on a full disk it is silent, and what it is about goes on', () => {
  const log = openLog('/dev/full');
  expect(() => log.info({ path: '/x' }, 'request failed')).not.toThrow();
});
