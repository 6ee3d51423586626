import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { hookCommand } from './hook-command.js';

test('runs the script with its words, and says nothing when it is gone', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "sm it's "));
  const script = path.join(folder, 'hook.sh');
  fs.writeFileSync(script, 'echo "$1 $2"; cat; exit 3\n');
  const command = hookCommand(script, 'a b', "it's");
  const ran = spawnSync('sh', ['-c', command], { input: 'in', encoding: 'utf8' });
  expect(ran).toMatchObject({ status: 3, stdout: "a b it's\nin" });
  fs.rmSync(folder, { recursive: true });
  expect(execFileSync('sh', ['-c', command], { input: 'x'.repeat(200_000), encoding: 'utf8' })).toBe('');
});
