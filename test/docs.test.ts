// What the documentation says of the commands is what they say themselves.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

test('docs/commands.md', () => {
  const script = path.resolve(import.meta.dirname, '../scripts/commands-page.mjs');
  const check = () => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' });
  expect(check).not.toThrow();
});
