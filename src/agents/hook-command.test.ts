import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { HOOK_SCRIPT } from '../spool/index.js';
import { hookCommand } from './hook-command.js';

test('runs the script with its words, and says nothing when it is gone', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "sm it's "));
  const script = path.join(folder, 'hook.sh');
  fs.writeFileSync(script, 'echo "$1 $2"; cat; exit 3\n');
  const command = hookCommand(script, 'a b', "it's");
  const ran = spawnSync('sh', ['-c', command], { input: 'in', encoding: 'utf8' });
  expect(ran).toMatchObject({ status: 3, stdout: "a b it's\nin" });
  fs.rmSync(folder, { recursive: true });
  expect(execFileSync('sh', ['-c', command], { input: 'x'.repeat(200_000), encoding: 'utf8' })).toBe('');
});

test('a script that may not be read is as good as none', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-hook-'));
  fs.chmodSync(folder, 0o755);
  const script = path.join(folder, 'hook.sh');
  fs.writeFileSync(script, 'echo ran\n', { mode: 0 });
  // Nothing is unreadable to root.
  const somebody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const ran = spawnSync('sh', ['-c', hookCommand(script, 'a')], {
    input: '{}',
    encoding: 'utf8',
    ...somebody,
  });
  fs.rmSync(folder, { recursive: true });
  expect(ran).toMatchObject({ status: 0, stdout: '', stderr: '' });
});

describe.each(['sh', 'bash', 'zsh'])('the hook in %s, which the agent started', (shell) => {
  const isMissing = spawnSync(shell, ['-c', 'exit 0']).status !== 0;
  const hook = fileURLToPath(HOOK_SCRIPT);
  const run = (home: string, searchPath = process.env.PATH ?? '') =>
    spawnSync(shell, ['-c', hookCommand(hook, home, 'claude', 'Stop')], {
      input: '{"n":1}',
      encoding: 'utf8',
      env: { PATH: searchPath, HOME: home, TMUX: '/tmp/tmux,42,0', TMUX_PANE: '%7' },
    });
  const makeHome = (): string => {
    const home = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-hook-'));
    fs.mkdirSync(path.join(home, 'spool'));
    return home;
  };
  test('leaves its entry and prints what is there for it', ({ skip }) => {
    skip(isMissing, `${shell} is not installed here`);
    const home = makeHome();
    const at = path.join(home, 'doors', 'at', '42-7');
    fs.mkdirSync(path.join(at, 'Stop.for'), { recursive: true });
    fs.writeFileSync(path.join(at, 'Stop.say'), 'said');
    const ran = run(home);
    const entries = fs.readdirSync(path.join(home, 'spool'));
    const entry = fs.readFileSync(path.join(home, 'spool', entries[0] ?? ''), 'utf8');
    fs.rmSync(home, { recursive: true });
    expect(ran).toMatchObject({ status: 0, stdout: 'said', stderr: '' });
    expect(entries).toHaveLength(1);
    expect(entry).toBe('claude Stop - /tmp/tmux 42 %7\n{"n":1}\n.\n');
  });

  test('says nothing when the spool goes while it writes', ({ skip }) => {
    skip(isMissing, `${shell} is not installed here`);
    const home = makeHome();
    fs.writeFileSync(path.join(home, 'cat'), `#!/bin/sh\n/bin/rm -r '${home}/spool'\n`, { mode: 0o700 });
    const ran = run(home, `${home}:${process.env.PATH ?? ''}`);
    fs.rmSync(home, { recursive: true });
    expect(ran).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });
});
