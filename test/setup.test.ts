// What `npm test` installs by itself must not open the machine to others.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';

const { startsNoServices } = (await import(path.resolve(import.meta.dirname, '../scripts/setup.mjs'))) as {
  startsNoServices(policy: string): boolean;
};

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smp-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

function policy(name: string, text: string): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o700 });
  return file;
}

test('a package may be installed only where it is forbidden to start its service', () => {
  expect(startsNoServices(policy('forbids', '[ "$*" = "ssh start" ] && exit 101'))).toBe(true);
  expect(startsNoServices(policy('allows', 'exit 0'))).toBe(false);
  expect(startsNoServices(policy('asks', 'exit 106'))).toBe(false);
  expect(startsNoServices(path.join(folder, 'none'))).toBe(false);
});
