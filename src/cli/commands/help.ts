import { defineCommand } from '../command.js';
import { UsageError } from '../errors.js';
import { printHelp, printOverview } from '../help.js';
import { nearest } from '../nearest.js';
import { ENTRIES, entry } from '../registry.js';

export default defineCommand({
  args: [{ name: 'command', optional: true, help: 'the command to explain', completes: 'commands' }],
  options: {},
  examples: [{ run: 'sm help send', does: 'the same as sm send --help' }],
  async run({ args }) {
    if (args.command === undefined) return printOverview();
    const found = entry(args.command);
    if (found) return printHelp(found, await found.load());
    const close = nearest(
      args.command,
      ENTRIES.map(({ name }) => name),
    );
    throw new UsageError(`unknown command "${args.command}"${close ? `; did you mean "${close}"?` : ''}`);
  },
});
