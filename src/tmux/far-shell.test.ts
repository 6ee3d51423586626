// A real sh, as ssh would run it.
import { spawn } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { FarShell } from './far-shell.js';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

function shellOf(start = 'exec sh'): { shell: FarShell; ended: Promise<void> } {
  const child = spawn('sh', ['-c', start], { stdio: 'pipe' });
  ends.push(() => child.kill());
  const shell = new FarShell(child, () => child.kill());
  const ended = new Promise<void>((resolve) => {
    child.on('exit', () => {
      shell.end(new Error('ended'));
      resolve();
    });
  });
  return { shell, ended };
}

test('each script is answered with what it printed and how it ended', async () => {
  const { shell } = shellOf();
  const results = await Promise.all([
    shell.run('printf "a\\nb"; echo e >&2'),
    shell.run('exit 3'),
    shell.run('cat'),
    shell.run("printf '%s' \"it's\"; cd /nowhere"),
    shell.run('if then'),
    shell.run('printf "\\000\\n\\n"'),
  ]);
  expect(results[0]).toEqual({ code: 0, stdout: 'a\nb', stderr: 'e\n' });
  expect(results[1]).toEqual({ code: 3, stdout: '', stderr: '' });
  expect(results[2]).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(results[3]?.stdout).toBe("it's");
  expect(results[3]?.code).not.toBe(0);
  expect(results[4]?.code).not.toBe(0);
  expect(results[5]?.stdout).toBe('\0\n\n');
});

test('what a login shell prints by itself is no answer', async () => {
  const { shell } = shellOf('echo welcome; echo hello >&2; exec sh');
  expect((await shell.run('echo x')).stdout).toBe('x\n');
});

test('what waits when it ends is told so, and so is what comes later', async () => {
  const { shell, ended } = shellOf();
  const waiting = shell.run('sleep 100');
  shell.child.kill('SIGKILL');
  await expect(waiting).rejects.toThrow('ended');
  await ended;
  await expect(shell.run('echo')).rejects.toThrow('ended');
});

test('one that does not answer in time is reported', async () => {
  const { shell } = shellOf();
  await expect(shell.run('sleep 100', 50)).rejects.toThrow('ended');
});
