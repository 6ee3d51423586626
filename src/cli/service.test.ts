// sm service with a systemctl that only writes down what it is told.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { locateHome } from '../api/locate.js';
import { run } from './run.js';

let folder: string;
let unit: string;
let server: http.Server;
const printed = { out: '', err: '' };

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-svc-'));
  unit = path.join(folder, 'config', 'systemd', 'user', 'suremail.service');
  for (const name of ['SM_CONFIG', 'SM_PORT', 'NO_COLOR', 'FORCE_COLOR']) vi.stubEnv(name, undefined);
  vi.stubEnv('SM_HOME', folder);
  vi.stubEnv('XDG_CONFIG_HOME', path.join(folder, 'config'));
  Object.assign(printed, { out: '', err: '' });
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed.out += String(chunk);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    printed.err += String(chunk);
    return true;
  });
  // The daemon that the service starts.
  server = http.createServer((request, response) => {
    if (request.url === '/api/v1/status') response.end(JSON.stringify({ pid: 4711 }));
    // A process that is not there has gone.
    else response.end(JSON.stringify({ stopping: true, pid: 2 ** 30 }));
  });
  await new Promise<void>((resolve) => server.listen(locateHome(process.env).socket, () => resolve()));
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await new Promise((resolve) => server.close(resolve));
  fs.rmSync(folder, { recursive: true });
});

function systemctl(script: string): () => string[] {
  const [bin, log] = [path.join(folder, 'path'), path.join(folder, 'calls')];
  fs.mkdirSync(bin);
  fs.writeFileSync(path.join(bin, 'systemctl'), `#!/bin/sh\necho "$*" >> '${log}'\n${script}\n`, {
    mode: 0o755,
  });
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
  return () => (fs.existsSync(log) ? fs.readFileSync(log, 'utf8').trim().split('\n') : []);
}

it('install writes the unit, enables and starts it; status and uninstall follow', async () => {
  const calls = systemctl('case "$2" in is-enabled) echo enabled ;; is-active) echo active ;; esac');
  expect(await run(['service', 'install'])).toBe(0);
  expect(printed.out).toContain(`the service runs (pid 4711) and starts when you log in: ${unit}`);
  expect(calls()).toEqual([
    '--user show-environment',
    '--user daemon-reload',
    '--user enable suremail.service',
    '--user restart suremail.service',
  ]);
  const text = fs.readFileSync(unit, 'utf8');
  expect(text).toContain(`ExecStart="${process.execPath}" "`);
  expect(text).toContain(`Environment="SM_HOME=${folder}"`);
  expect(fs.statSync(unit).mode & 0o777).toBe(0o644);

  printed.out = '';
  expect(await run(['service', 'status'])).toBe(0);
  expect(printed.out).toBe(`${unit}: enabled, active\n`);
  expect(await run(['service', 'uninstall'])).toBe(0);
  expect(calls()).toContain('--user disable --now suremail.service');
  expect(calls().at(-1)).toBe('--user daemon-reload');
  expect(fs.existsSync(unit)).toBe(false);
  printed.out = '';
  expect(await run(['service', 'status'])).toBe(1);
  expect(printed.out).toContain('no service is installed');
});

it('where systemd does not answer, a sentence says so and nothing is written', async () => {
  const calls = systemctl('echo "Failed to connect to bus: No medium found" >&2; exit 1');
  expect(await run(['service', 'install'])).toBe(4);
  expect(printed.err).toContain("no service was installed: systemd's manager of your user does not answer");
  expect(printed.err).toContain('No medium found');
  expect(fs.existsSync(unit)).toBe(false);
  expect(calls()).toHaveLength(1);
});

it('where there is no systemd', async () => {
  vi.stubEnv('PATH', folder);
  expect(await run(['service', 'install'])).toBe(4);
  expect(printed.err).toContain('there is no systemctl on this machine');
});
