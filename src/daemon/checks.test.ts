// What the doctor looks at on this machine: each thing that can be wrong is told, with what to do.
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkClock } from './check-clock.js';
import { checkDisk, checkFiles, checkSocket, type FilesPlan } from './check-files.js';
import { checkHooks } from './check-hooks.js';

let home: string;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'smh-'));
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const plan = (more: Partial<FilesPlan> = {}): FilesPlan => ({
  home,
  socket: path.join(home, 'sm.sock'),
  config: path.join(home, 'conf.yaml'),
  hasSecrets: false,
  uid: process.getuid?.(),
  ...more,
});
const write = (name: string, mode: number): string => {
  const file = path.join(home, name);
  fs.writeFileSync(file, 'x');
  fs.chmodSync(file, mode);
  return file;
};

describe('files', () => {
  test('all as they should be', () => {
    write('token', 0o600);
    fs.mkdirSync(path.join(home, 'bin'), { mode: 0o700 });
    write('conf.yaml', 0o644);
    expect(checkFiles(plan()).findings).toEqual([]);
  });

  test('open to others', () => {
    const token = write('token', 0o644);
    fs.chmodSync(home, 0o750);
    expect(checkFiles(plan()).findings).toEqual([
      {
        level: 'problem',
        about: 'files',
        message: `others may use ${home} (750)`,
        advice: `chmod go= ${home}`,
      },
      {
        level: 'problem',
        about: 'files',
        message: `others may use ${token} (644)`,
        advice: `chmod go= ${token}`,
      },
    ]);
  });

  test('of another user', () => {
    write('token', 0o600);
    const { findings } = checkFiles(plan({ uid: 4711 }));
    expect(findings.map(({ advice }) => advice)).toEqual([`chown 4711 ${home}`, `chown 4711 ${home}/token`]);
  });

  test('a configuration with a secret that others may read', () => {
    const config = write('conf.yaml', 0o644);
    expect(checkFiles(plan({ hasSecrets: true })).findings).toMatchObject([
      { advice: `chmod 600 ${config}` },
    ]);
  });

  test('a configuration where it used to be', () => {
    const former = write('config.yaml', 0o600);
    expect(checkFiles(plan()).findings).toMatchObject([
      { level: 'note', message: `${former} is not read`, advice: `move it to ${home}/conf.yaml` },
    ]);
    expect(checkFiles(plan({ config: former })).findings).toEqual([]);
  });
});

test('the socket: gone, open to others, as it should be', async () => {
  expect(checkSocket(plan(), 'url').findings).toMatchObject([
    { about: 'socket', message: expect.stringContaining('is gone') },
  ]);
  const { socket } = plan();
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(socket, () => resolve()));
  fs.chmodSync(socket, 0o666);
  expect(checkSocket(plan(), 'url').findings).toMatchObject([
    { about: 'socket', advice: `chmod go= ${socket}` },
  ]);
  fs.chmodSync(socket, 0o600);
  expect(checkSocket(plan(), 'url').findings).toEqual([]);
  await new Promise((resolve) => server.close(resolve));
});

test('little room on the disk', () => {
  expect(checkDisk(home, 10 * 1024 ** 3)).toMatchObject({
    detail: expect.stringContaining('10.0 GB'),
    findings: [],
  });
  expect(checkDisk(home, 100 * 1024 ** 2).findings).toMatchObject([{ level: 'note', about: 'disk' }]);
});

describe('the clock', () => {
  const at = (wall: number, steady = wall) => ({ wall, steady });
  const found = (...given: Parameters<typeof checkClock>) =>
    checkClock(...given).findings.map(({ level, message }) => `${level}: ${message}`);

  test('as it was', () => {
    expect(found(at(0), at(90_000), 90_500)).toEqual([]);
    expect(found(at(0), at(90_000), undefined)).toEqual([]);
  });
  test('behind what is recorded', () =>
    expect(found(at(0), at(90_000), 90_000 + 3_600_000)).toEqual([
      'problem: the clock is 60 min behind the last event that is recorded',
    ]));
  test('a sleep, or set forward', () =>
    expect(found(at(0), at(10_800_000, 60_000), 5)).toEqual([
      expect.stringMatching(/^note: .* slept.*, for 3 h$/),
    ]));
  test('set back', () =>
    expect(found(at(500_000), at(470_000, 560_000), 5)).toEqual([
      expect.stringMatching(/^note: .* set back by 90 s$/),
    ]));
});

test('hooks: none, ours, of another version, and settings that are not understood', () => {
  const hooks = path.join(home, 'hooks');
  const ours = { Stop: [{ hooks: [{ type: 'command', command: `${hooks}/hook.sh Stop` }] }] };
  const on = (content: unknown, agent: string | null = 'claude') => {
    const file = path.join(home, 'settings.json');
    fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return checkHooks([{ agent, file, ours, scripts: hooks, backups: path.join(home, 'backups') }]);
  };
  expect(on({})).toMatchObject({ detail: "none in agents' own settings", findings: [] });
  expect(on({ hooks: ours })).toMatchObject({ detail: `in ${home}/settings.json`, findings: [] });
  const old = { hooks: { Stop: [{ hooks: [{ type: 'command', command: `${hooks}/old.sh` }] }] } };
  expect(on(old).findings).toMatchObject([{ advice: '"sm hooks install claude" renews them' }]);
  expect(on(old, null).findings).toEqual([]);
  expect(on('{').findings).toMatchObject([
    { about: 'hooks', message: expect.stringContaining('is not understood') },
  ]);
});
