import { locateHome } from '../../api/locate.js';
import type { Status } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { connect, isAbsent } from '../connect.js';
import { EXIT } from '../errors.js';
import { oneLine, paint, plural, say, sayJson } from '../print.js';
import { since } from '../time.js';

export default defineCommand({
  args: [],
  options: { json: JSON_OPTION },
  examples: [
    { run: 'sm status', does: 'the daemon, its sessions and what waits' },
    { run: 'sm status --json | jq .pid', does: 'for a script' },
  ],
  exits: [[EXIT.noDaemon, 'no daemon runs; it is not started']],
  async run({ options }) {
    const home = locateHome();
    const status = await connect(home)
      .status()
      .catch((error: unknown) => {
        if (!isAbsent(error)) throw error;
      });
    if (options.json) sayJson(status ? { running: true, ...status } : { running: false, home: home.folder });
    else if (status) tell(status);
    else say(`no daemon runs (home ${home.folder}); sm up starts it`);
    return status ? EXIT.ok : EXIT.noDaemon;
  },
});

function tell({
  pid,
  version,
  home,
  url,
  started_at,
  node,
  tmux,
  paused,
  sessions,
  pending,
  unread,
  memory_bytes,
  config_problem,
  agents_problem,
}: Status): void {
  const delivery = paused ? paint('yellow', 'paused for all sessions; sm resume') : 'on';
  say(`${paint('green', 'running')}: suremail ${version}, pid ${pid}, for ${since(started_at)}`);
  const fields: [string, string][] = [
    ['home', home],
    ['url', url],
    ['sessions', `${sessions.live} live, ${sessions.ended} ended, ${sessions.gone} gone`],
    ['waiting', plural(pending, 'message')],
    ['inbox', unread ? paint('yellow', `${unread} unread; sm inbox`) : 'nothing unread'],
    ['delivery', delivery],
    ['memory', `${(memory_bytes / 1024 ** 2).toFixed(0)} MB`],
    ['with', `node ${node}, ${tmux}`],
  ];
  if (config_problem !== null)
    fields.push(['config', paint('red', `refused, the last good one holds: ${oneLine(config_problem)}`)]);
  if (agents_problem !== null)
    fields.push(['agents', paint('red', `refused, the last good ones hold: ${oneLine(agents_problem)}`)]);
  for (const [name, value] of fields) say(`  ${paint('dim', name.padEnd(8))}  ${value}`);
}
