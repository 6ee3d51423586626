import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Home, locateHome } from '../api/locate.js';
import { startDaemon } from './start-daemon.js';

let home: Home;
let script: string;

beforeEach(() => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'sm-start-'));
  home = locateHome({ SM_HOME: folder });
  script = path.join(folder, 'daemon.mjs');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home.folder, { recursive: true });
});

const write = (code: string): void =>
  writeFileSync(script, `import fs from 'node:fs';\nimport http from 'node:http';\n${code}`);

it('waits until it is ready, in its own folder and outside any pane', async () => {
  write(`fs.writeFileSync(process.env.SM_HOME + '/seen', [process.env.TMUX, process.cwd() === fs.realpathSync(process.env.SM_HOME)].join());
    fs.writeSync(3, 'ready {"pid":1,"url":"http://x"}\\n'); fs.closeSync(3);`);
  vi.stubEnv('TMUX', '/tmp/x,1,0');
  expect(await startDaemon(home, script)).toBe(true);
  expect(readFileSync(path.join(home.folder, 'seen'), 'utf8')).toBe(',true');
});

it('says why it cannot start', async () => {
  write(`fs.writeSync(3, 'failed {"message":"the port is taken"}\\n'); process.exit(1);`);
  await expect(startDaemon(home, script)).rejects.toMatchObject({
    message: 'cannot start the daemon: the port is taken',
    exit: 5,
  });
});

it('shows the end of the log when it dies without a word', async () => {
  write(`throw new Error('out of luck');`);
  await expect(startDaemon(home, script)).rejects.toMatchObject({
    exit: 5,
    hint: expect.stringContaining('out of luck'),
  });
});

it('waits until the one that was quicker answers', async () => {
  write(`fs.writeSync(3, 'running {"pid":1}\\n'); fs.closeSync(3);
    setTimeout(() => {
      const server = http.createServer((_, response) => { response.end('{}'); server.close(); });
      server.listen(process.env.SM_HOME + '/sm.sock');
    }, 200);`);
  expect(await startDaemon(home, script)).toBe(false);
});

it('gives up after the deadline, and says that it may still come', async () => {
  write(`setTimeout(() => {}, 1500);`);
  await expect(startDaemon(home, script, 300)).rejects.toMatchObject({
    exit: 5,
    message: expect.stringContaining('not answered within 0.3 s'),
  });
});

it('names a script that does not exist', async () => {
  await expect(startDaemon(home, script)).rejects.toThrow(`${script} does not exist`);
});
