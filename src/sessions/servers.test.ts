// What a tmux server that we start knows of us.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Servers } from './servers.js';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sms-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

test('a tmux server that is started here hands our variables to no pane, and others as they are', async () => {
  const ours = { SM_HOME: '/x', SM_CONFIG: '/x/config.yaml', SM_PORT: '0', SM_SESSION: 's', SM_EDITOR: 'vi' };
  const servers = new Servers('tmux', { ...process.env, ...ours, OTHER: 'stays' });
  const server = await servers.prepare(path.join(folder, 'socket'));
  await server.fork(['-f', '/dev/null', 'new-session', '-d', '--', 'cat', '-']);
  try {
    const known = (await server.fork(['show-environment', '-g'])).split('\n');
    expect(known).toContain('OTHER=stays');
    for (const name of Object.keys(ours)) expect(known.join('\n')).not.toContain(`${name}=`);
  } finally {
    await server.fork(['kill-server']);
  }
});
