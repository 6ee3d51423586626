import { defineCommand } from '../command.js';
import { ask } from '../connect.js';
import { wantsColour } from '../print.js';

export default defineCommand({
  about: ['Colours are kept on a terminal, and dropped in a pipe unless FORCE_COLOR is set.'],
  args: [{ name: 'session', help: 'name or id', completes: 'sessions' }],
  options: {
    lines: {
      kind: 'number',
      value: 'COUNT',
      short: 'n',
      initial: 40,
      most: 1_000_000,
      help: 'how many of the last lines',
    },
    follow: { kind: 'flag', short: 'f', help: 'then go on with everything it prints, until Ctrl-C' },
  },
  examples: [
    { run: 'sm output api', does: 'the last lines of its screen and scrollback' },
    { run: 'sm output api -n 1000 | grep -i error', does: 'look for something' },
    { run: 'sm output api -f', does: 'watch it' },
  ],
  async run({ args, options }) {
    const styles = wantsColour(process.stdout);
    const response = await ask((client) => client.output(args.session, { ...options, styles }));
    let last = 10;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      last = chunk.at(-1) ?? last;
      // A reader that is slower than the session makes the daemon wait, not this process grow.
      if (!process.stdout.write(chunk)) await new Promise((resolve) => process.stdout.once('drain', resolve));
    }
    process.stdout.write((styles ? '\x1b[0m' : '') + (last === 10 ? '' : '\n'));
    return undefined;
  },
});
