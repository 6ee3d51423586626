import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { defineCommand, JSON_OPTION } from '../command.js';
import { connect, isAbsent } from '../connect.js';
import { CliError, EXIT } from '../errors.js';
import { say, sayJson } from '../print.js';

// A process that is not our child tells nobody when it ends; looked at this often, for at most so long.
const LOOK_MS = 20;
const DEADLINE_MS = 15_000;

export default defineCommand({
  about: ['Returns when the process has gone. Panes go on, queued messages wait on disk for the next start.'],
  args: [],
  options: { json: JSON_OPTION },
  examples: [{ run: 'sm down', does: 'stop it; fine if it does not run' }],
  exits: [[EXIT.timeout, `it was asked to stop and is still there after ${DEADLINE_MS / 1000} s`]],
  async run({ options }) {
    const answer = await connect()
      .stop()
      .catch((error: unknown) => {
        if (!isAbsent(error)) throw error;
      });
    if (answer) await untilGone(answer.pid);
    if (options.json) sayJson({ stopped: answer !== undefined, pid: answer?.pid ?? null });
    else say(answer ? `the daemon has stopped (pid ${answer.pid})` : 'no daemon runs');
    return undefined;
  },
});

async function untilGone(pid: number): Promise<void> {
  const end = Date.now() + DEADLINE_MS;
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
