// The package as somebody else installs it: `suremail/client` is there, typed, and talks to a daemon.
import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from './support/tmux.js';
import { World } from './support/world.js';

const run = promisify(execFile);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smp-'));
const modules = path.join(folder, 'node_modules');
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');

// What its documentation shows, and more of the types.
const CONSUMER = `
import { ApiFailure, Client, locateHome, NotRunning } from 'suremail/client';
import type { Message, SendRequest, SendQueue, Session } from 'suremail/client';

const client: Client = new Client({ socket: locateHome().socket });
const request: SendRequest = { to: ['nobody'], text: 'hello', mode: 'important' };
try {
  const sessions: Session[] = await client.sessions();
  console.log('sessions', sessions.length);
  const { messages } = await client.send(request);
  const first: Message | undefined = messages[0];
  console.log(first?.receipt satisfies string | undefined);
  const queue: SendQueue = await client.sendQueue('nobody');
  console.log(queue.pending_count);
} catch (error) {
  if (error instanceof NotRunning) throw error;
  if (error instanceof ApiFailure) console.log(error.status, error.detail.value);
}
`;

let world: World;
beforeAll(async () => {
  world = await World.start();
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  fs.mkdirSync(modules);
  execFileSync('tar', ['xzf', filename], { cwd: folder });
  fs.renameSync(path.join(folder, 'package'), path.join(modules, 'suremail'));
  // What it depends on, and the types of Node.
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of [...Object.keys(dependencies), '@types/node']) {
    fs.mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    fs.symlinkSync(path.join(ROOT, 'node_modules', name), path.join(modules, name));
  }
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  fs.writeFileSync(path.join(folder, 'use.ts'), CONSUMER);
});
afterAll(async () => {
  await world.dispose();
  fs.rmSync(folder, { recursive: true, force: true });
});

const compile = (...more: string[]): Promise<{ stdout: string }> =>
  run(
    process.execPath,
    [TSC, '--module', 'nodenext', '--target', 'es2023', '--strict', '--types', 'node', ...more, 'use.ts'],
    { cwd: folder },
  );

test('a program in TypeScript compiles against it, runs, and is answered', async () => {
  await compile('--skipLibCheck').catch((error: { stdout: string }) => expect(error.stdout).toBe(''));
  const { stdout } = await run(process.execPath, ['use.js'], { cwd: folder, env: world.env });
  expect(stdout).toBe('sessions 0\n404 nobody\n');
});

test('a wrong use of it does not compile', async () => {
  fs.writeFileSync(path.join(folder, 'use.ts'), CONSUMER.replace("mode: 'important'", "mode: 'quick'"));
  await expect(compile('--skipLibCheck', '--noEmit')).rejects.toMatchObject({
    stdout: expect.stringContaining('quick'),
  });
});

test('what it exports is what it says, and no more', async () => {
  const names = await run(
    process.execPath,
    ['-e', "import('suremail/client').then((all) => console.log(Object.keys(all).sort().join()))"],
    { cwd: folder },
  );
  expect(names.stdout.trim()).toBe('ApiFailure,Client,NotRunning,locateHome,senderFrom');
  await expect(
    run(process.execPath, ['-e', "import('suremail/dist/daemon/main.js')"], { cwd: folder }),
  ).rejects.toMatchObject({ stderr: expect.stringContaining('ERR_PACKAGE_PATH_NOT_EXPORTED') });
});
