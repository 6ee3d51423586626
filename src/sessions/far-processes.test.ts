// The scripts for another machine, run by the sh of this one.
import { execFile, spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { farProcesses, type Script } from './far-processes.js';
import { parsePs, readProcess } from './process.js';

const script: Script = (text) =>
  new Promise((resolve) => {
    execFile('sh', ['-c', text], (error, stdout) => resolve({ code: error ? 1 : 0, stdout }));
  });
const far = farProcesses(script);

test('a process is told as its own machine tells it', async () => {
  const child = spawn('sh', ['-c', 'sleep 100; :', '', 'a b', '', 'c)\nd', '']);
  try {
    expect(await far.read(child.pid as number)).toEqual(await readProcess(child.pid as number));
    expect(await far.read(process.pid)).toEqual(await readProcess(process.pid));
  } finally {
    child.kill();
  }
});

test('one that is not there is none', async () => {
  expect(await far.read(2 ** 22 + 1)).toBeUndefined();
  expect(await far.foregroundOf(2 ** 22 + 1)).toBeUndefined();
});

test('what is no process id never gets into a script', async () => {
  await expect(far.read(Number.NaN)).rejects.toThrow(/process id/);
  await expect(far.signal(-1, 'KILL')).rejects.toThrow(/process id/);
});

test('a terminal that is none is in no mode', async () => {
  expect(await far.isCanonical('/dev/null')).toBe(false);
  expect(await far.isCanonical('/nowhere; echo icanon')).toBe(false);
});

test('ps tells the same, where there is no /proc', () => {
  expect(parsePs(7, '    1   20    30 Ss+  Mon Nov 16 18:00:01 2026 claude --resume x\n')).toEqual({
    pid: 7,
    parent: 1,
    group: 20,
    foreground: 30,
    started: 'Mon Nov 16 18:00:01 2026',
    argv: ['claude', '--resume', 'x'],
  });
});
