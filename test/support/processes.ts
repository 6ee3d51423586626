// Processes that a test has started, by way of others: found by what they were given, and ended.
import fs from 'node:fs';

// The one that inherited a variable and has a word on its command line.
export function processWith(assignment: string, word: string): number | undefined {
  const found = fs.readdirSync('/proc').find((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    return partsOf(pid, 'environ').includes(assignment) && partsOf(pid, 'cmdline').includes(word);
  });
  return found === undefined ? undefined : Number(found);
}

function partsOf(pid: string, file: 'environ' | 'cmdline'): string[] {
  try {
    return fs.readFileSync(`/proc/${pid}/${file}`, 'latin1').split('\0');
  } catch {
    // It has ended, or is not ours.
    return [];
  }
}

export const childrenOf = (pid: number): number[] =>
  fs
    .readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((child) => child !== '')
    .map(Number);

export const below = (pid: number): number[] => childrenOf(pid).flatMap((child) => [...below(child), child]);

export function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended with the others.
  }
}
