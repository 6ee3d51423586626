// Where a Claude Code that runs keeps its files, and whether it runs still.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const configFolder = (env: Readonly<Record<string, string | undefined>>): string =>
  env.CLAUDE_CONFIG_DIR ?? path.join(env.HOME ?? os.homedir(), '.claude');

export const lives = (pid: number): boolean => fs.existsSync(`/proc/${pid}`) || isAlive(pid);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

// By a person's Ctrl-Z, say: it can do nothing until it is let go on. Where the system does not tell it counts as running.
export function isStopped(pid: number): boolean {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return /^[Tt]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}
