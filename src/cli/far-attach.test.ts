// ssh itself says what it would do.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attachArgs } from './far-attach.js';

describe.skipIf(spawnSync('ssh', ['-V']).status !== 0)('showing a session of another machine', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sma-'));
  const config = path.join(folder, 'config');
  beforeAll(() => fs.writeFileSync(config, 'Host box\n  RemoteCommand tmux new -A\n'));
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  test('is not kept from it by a command of the configuration', () => {
    const session = { pane: '%1', socket: '/tmp/tmux-1/default', tmux_session: '$0' };
    const [program = '', ...args] = attachArgs(session, { destination: 'box', tmux_path: null }, config);
    const { status, stderr } = spawnSync(program, ['-G', ...args], { encoding: 'utf8' });
    expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.not.stringMatching(/command/) });
  });
});
