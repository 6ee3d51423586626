import { locateHome } from '../../api/locate.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { connect, isAbsent } from '../connect.js';
import { EXIT } from '../errors.js';
import { say, sayJson } from '../print.js';
import { untilGone } from '../until-gone.js';

export default defineCommand({
  about: ['Any command that needs the daemon starts it too.'],
  args: [],
  options: {
    replace: {
      kind: 'flag',
      help: 'first end a daemon that does not answer; what it had under way is taken up',
    },
    json: JSON_OPTION,
  },
  examples: [
    { run: 'sm up', does: 'start it, or say that it runs' },
    { run: 'SM_HOME=/tmp/trial sm up', does: 'a second one, with a home of its own' },
  ],
  exits: [[EXIT.noDaemon, 'it cannot be started']],
  async run({ options }) {
    const home = locateHome();
    if (options.replace) await (await import('../replace-hung.js')).replaceHung(home);
    const client = connect(home);
    const found = await client.status().catch((error: unknown) => {
      if (!isAbsent(error)) throw error;
    });
    if (found?.stopping) await untilGone(found.pid);
    const running = found?.stopping ? undefined : found;
    const started = running ? false : await (await import('../start-daemon.js')).startDaemon(home);
    const status = running ?? (await client.status());
    if (options.json) sayJson({ started, ...status });
    else
      say(
        `the daemon ${started ? 'runs' : 'runs already'}: pid ${status.pid}, ${status.url}, home ${status.home}`,
      );
    return undefined;
  },
});
