// A door is opened only for a session that is still there.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { Emitter } from '../tmux/index.js';
import { DoorFolders } from './door-folders.js';
import { Doors } from './doors.js';
import type { Registry } from './registry.js';
import type { Session } from './session.js';

test('a session that was removed while its door was being opened gets none', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-doors-'));
  const happened = new Emitter<{ type: string; session: Session }>();
  const open = vi.fn(() => ({ onEvent: () => {}, dispose: () => {} }));
  const session = {
    id: 's',
    name: 's',
    row: { epoch: 1, state: 'live', server: '1:2', pane: '%1', cwd: '/', origin: 'adopted' },
    program: { pid: process.pid, started: '', argv: ['agent'] },
    profile: { name: 'agent', packages: [], door: { open } },
    doorFacts: {},
  } as unknown as Session;
  const registry = { onEvent: happened.event, list: () => [session], stir: () => {} };
  const doors = new Doors({
    registry: registry as unknown as Registry,
    folders: new DoorFolders(folder),
    isOn: true,
    clock: Date.now,
    log: () => {},
  });
  try {
    const opening = doors.openAll();
    happened.fire({ type: 'removed', session });
    await opening;
    expect(open).not.toHaveBeenCalled();
    await doors.openAll();
    expect(open).toHaveBeenCalledTimes(1);
  } finally {
    doors.dispose();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
