// What Codex's door says before its server has told anything.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CodexDoor } from './door.js';

test('what an earlier daemon knew of its state stands no more', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-codex-'));
  const door = new CodexDoor(
    {
      session: { id: 's', name: 's', cwd: folder, origin: 'started' },
      program: { pid: process.pid, argv: ['codex'] },
      env: { HOME: folder },
      version: '0.166.0',
      folder,
      facts: {},
      saveFacts: async () => {},
      onHook: () => ({ dispose() {} }),
      clock: () => 1,
      log: () => {},
    },
    false,
    () => {},
  );
  expect(door.status).toEqual({ state: 'unknown', since: 1, source: 'door', detail: null });
  door.dispose();
  fs.rmSync(folder, { recursive: true, force: true });
});
