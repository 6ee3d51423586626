import { locateHome } from '../../api/locate.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { CliError, EXIT } from '../errors.js';
import { followLines, lastLines } from '../log-file.js';
import { prettyLine } from '../log-line.js';
import { say } from '../print.js';

export default defineCommand({
  args: [],
  options: {
    follow: { kind: 'flag', short: 'f', help: 'go on with what is added, until Ctrl-C' },
    lines: {
      kind: 'number',
      value: 'COUNT',
      short: 'n',
      initial: 50,
      most: 1_000_000,
      help: 'how many of the last lines',
    },
    json: { ...JSON_OPTION, help: 'print the lines as they are: one JSON object each' },
  },
  examples: [
    { run: 'sm logs -f', does: 'watch the daemon' },
    { run: "sm logs -n 1000 --json | jq 'select(.level >= 40)'", does: 'its last warnings and errors' },
  ],
  async run({ options }) {
    const { log } = locateHome();
    const show = (line: string): void => say(options.json ? line : prettyLine(line));
    const { lines, end } = await lastLines(log, options.lines).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      throw new CliError(
        `no log at ${log}: no daemon has run with this home`,
        EXIT.failed,
        'sm up starts one',
      );
    });
    lines.forEach(show);
    if (options.follow) await followLines(log, end, show);
    return undefined;
  },
});
