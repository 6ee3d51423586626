// Waits until a daemon that was asked to stop has gone.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { CliError, EXIT } from './errors.js';

// A process that is not our child tells nobody when it ends; looked at this often, for at most so long.
const LOOK_MS = 20;
export const GONE_DEADLINE_MS = 15_000;

export async function untilGone(pid: number): Promise<void> {
  const end = Date.now() + GONE_DEADLINE_MS;
  while (isAlive(pid)) {
    if (Date.now() > end)
      throw new CliError(
        `the daemon (pid ${pid}) is still stopping`,
        EXIT.timeout,
        'sm logs shows what it does',
      );
    await pause(LOOK_MS);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  try {
    // In a container without an init process, a process that has ended stays listed as a zombie.
    return !/^\d+ \(.*\) Z /s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return true;
  }
}
