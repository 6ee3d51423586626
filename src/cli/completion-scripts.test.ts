import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMPLETION_SCRIPTS, type Shell } from './completion-scripts.js';

const installed = (shell: Shell): boolean => spawnSync(shell, ['--version']).status === 0;

describe.each(['bash', 'zsh', 'fish'] as const)('the script for %s', (shell) => {
  it('is valid syntax', (test) => {
    if (!installed(shell)) test.skip(`${shell} is not installed`);
    const folder = mkdtempSync(path.join(os.tmpdir(), 'sm-completion-'));
    const file = path.join(folder, 'script');
    const check = (script: string): number | null => {
      writeFileSync(file, script);
      return spawnSync(shell, ['-n', file]).status;
    };
    try {
      expect(check(COMPLETION_SCRIPTS[shell])).toBe(0);
      // The check itself can fail.
      expect(check(`${COMPLETION_SCRIPTS[shell]}\nif (`)).not.toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('in bash', () => {
  // A stand-in for sm that answers with the words that it was asked about.
  const completeIn = (line: string[], answer: string): { asked: string; replies: string[] } => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'sm-completion-'));
    try {
      const sm = path.join(folder, 'sm');
      writeFileSync(sm, `#!/bin/sh\nshift\nprintf '<%s>' "$@" > ${folder}/asked\nprintf '%b' '${answer}'\n`);
      chmodSync(sm, 0o755);
      const words = [sm, ...line].map((word) => `'${word}'`).join(' ');
      const script = `${COMPLETION_SCRIPTS.bash}\nCOMP_WORDS=(${words}); COMP_CWORD=${line.length}; _sm; cat ${folder}/asked; printf '\\n%s' "\${COMPREPLY[@]}"`;
      const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
      const [asked = '', ...replies] = stdout.split('\n');
      return { asked, replies };
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  it('asks sm about the words up to the cursor', () => {
    expect(completeIn(['send', ''], 'api\\tclaude, live\\nweb\\tcodex, live\\n')).toEqual({
      asked: '<send><>',
      replies: ['api', 'web'],
    });
  });

  it('puts together what bash has split at "="', () => {
    expect(completeIn(['send', '--wait', '=', 'r'], '--wait=received\\t\\n')).toEqual({
      asked: '<send><--wait=r>',
      replies: ['received'],
    });
    expect(completeIn(['send', '--wait', '='], '--wait=received\\t\\n').asked).toBe('<send><--wait=>');
  });
});
