// The file that a program was started from.
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { programFile, scriptOf } from './program-file.js';

const script = (word: string) => ({ kind: 'script', script: word });
const unknown = { kind: 'unknown' };
const itself = { kind: 'itself' };

test.each<[string, unknown]>([
  ['node app.mjs --import x', script('app.mjs')],
  ['node --import a.mjs app', script('app')],
  ['node --import=a.mjs -r b app', script('app')],
  ['/usr/bin/node --max-old-space-size=9 -- app', script('app')],
  ['node -e CODE app', unknown],
  ['node --eval=CODE', unknown],
  ['node -', unknown],
  ['node', itself],
  ['bun run app.ts', script('app.ts')],
  ['deno run -A --config d.json app.ts', script('app.ts')],
  ['deno eval CODE', unknown],
  ['python3 -c CODE', unknown],
  ['python3.12 -um aider', unknown],
  ['python3 -W ignore -X dev -Xutf8 -u app.py -m x', script('app.py')],
  ['python3 -Wmodule app.py', script('app.py')],
  ['python3 -i', itself],
  ['claude -m app', itself],
])('%s', (line, runs) => expect(scriptOf(line.split(' '))).toEqual(runs));

let folder: string;
let child: ChildProcess | undefined;
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'smf-')));
});
afterEach(() => {
  child?.kill('SIGKILL');
  fs.rmSync(folder, { recursive: true, force: true });
});

const started = async (...args: string[]): Promise<string | null> => {
  child = spawn(process.execPath, args, { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
  await new Promise((resolve) => child?.stdout?.once('data', resolve));
  return programFile({ pid: child.pid ?? 0, argv: ['node', ...args] });
};
const WAITS = 'process.stdin.resume(); console.log("up")';

test('a relative script is looked for where its program works, not here', async () => {
  fs.writeFileSync(path.join(folder, 'app.js'), WAITS);
  expect(await started('app.js')).toBe(path.join(folder, 'app.js'));
  child?.kill('SIGKILL');
  expect(await started('./app')).toBe(path.join(folder, 'app.js'));
});

test('what is in no file is not taken for one', async () => {
  expect(await started('-e', WAITS)).toBeNull();
});

test('a script that has given its process another name is not taken for its interpreter', async () => {
  const file = path.join(folder, 'agent');
  fs.writeFileSync(file, `#!${process.execPath}\nprocess.title = 'agent'; ${WAITS}`, { mode: 0o755 });
  const start = async (command: string, argv: string[], PATH: string): Promise<string | null> => {
    child = spawn(command, { cwd: folder, env: { PATH }, stdio: ['pipe', 'pipe', 'ignore'] });
    await new Promise((resolve) => child?.stdout?.once('data', resolve));
    const found = await programFile({ pid: child.pid ?? 0, argv });
    child.kill('SIGKILL');
    return found;
  };
  // As we started it, as it was found running, and where nothing of that name is to be found.
  expect(await start(file, [file, '--flag'], '')).toBe(file);
  expect(await start(file, ['agent'], folder)).toBe(file);
  expect(await start(file, ['agent'], '/nowhere')).toBeNull();
});
