// ssh itself says what it makes of our options, and of a configuration that wants something else.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { channelArgs, masterArgs } from './ssh-options.js';

const WANTED = `
Host box
  ForwardAgent yes
  ForwardX11 yes
  LocalForward 127.0.0.1:4711 127.0.0.1:4712
  RemoteForward 127.0.0.1:4713 127.0.0.1:4714
  RemoteCommand tmux new -A
  RequestTTY force
  PermitLocalCommand yes
  StrictHostKeyChecking accept-new
`;

describe.skipIf(spawnSync('ssh', ['-V']).status !== 0)('a configuration', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smo-'));
  const config = path.join(folder, 'config');
  beforeAll(() => fs.writeFileSync(config, WANTED));
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  test.each([
    ['connection', masterArgs],
    ['channel', channelArgs],
  ])('lends nothing of this machine to the other one: a %s', (_, args) => {
    const given = args({ destination: 'box', config }, 'socket', 'exec sh');
    const lines = execFileSync('ssh', ['-G', ...given], { encoding: 'utf8' }).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'forwardagent no',
        'forwardx11 no',
        'clearallforwardings yes',
        'permitlocalcommand no',
        'requesttty false',
        'batchmode yes',
        'stricthostkeychecking true',
      ]),
    );
  });
});
