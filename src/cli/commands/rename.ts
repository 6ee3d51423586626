import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { say, sayJson } from '../print.js';

export default defineCommand({
  args: [
    { name: 'session', help: 'name or id', completes: 'sessions' },
    { name: 'name', help: 'the new name: letters, digits, ".", "_" or "-", at most 64' },
  ],
  options: { json: JSON_OPTION },
  examples: [{ run: 'sm rename claude-2 review', does: 'its id and its mail stay as they are' }],
  async run({ args, options }) {
    const session = await ask((client) => client.update(args.session, { name: args.name }));
    if (options.json) sayJson(session);
    else say(`${session.id} is now ${session.name}`);
    return undefined;
  },
});
