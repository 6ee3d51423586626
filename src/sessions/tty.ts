// Whether a terminal is in line mode, where the kernel cuts a line at 4096 bytes.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

// Unknown counts as not: only a proof makes a long line wait.
export async function isCanonical(tty: string): Promise<boolean> {
  try {
    const { stdout } = await run('stty', [process.platform === 'linux' ? '-F' : '-f', tty, '-a']);
    return /(?:^|[\s;])icanon\b/.test(stdout);
  } catch {
    return false;
  }
}
