import { defineCommand, JSON_OPTION } from '../command.js';
import { connect, isAbsent } from '../connect.js';
import { EXIT } from '../errors.js';
import { say, sayJson } from '../print.js';
import { GONE_DEADLINE_MS, untilGone } from '../until-gone.js';

export default defineCommand({
  about: ['Returns when the process has gone. Panes go on, queued messages wait on disk for the next start.'],
  args: [],
  options: { json: JSON_OPTION },
  examples: [{ run: 'sm down', does: 'stop it; fine if it does not run' }],
  exits: [[EXIT.timeout, `it was asked to stop and is still there after ${GONE_DEADLINE_MS / 1000} s`]],
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
