import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { namedOrOwn } from '../own-session.js';
import { plural, say, sayJson } from '../print.js';

export default defineCommand({
  about: ['Ends what sm busy began. Without it nothing changes.'],
  args: [],
  options: {
    session: {
      kind: 'text',
      value: 'NAME',
      help: 'another session than the one that this runs in',
      completes: 'sessions',
    },
    json: JSON_OPTION,
  },
  examples: [{ run: 'sm ready', does: 'inside an agent: mail comes again' }],
  async run({ options }) {
    const { id } = await namedOrOwn(options.session, 'sm ready --session NAME');
    const session = await ask((client) => client.update(id, { busy: false }));
    if (options.json) sayJson(session);
    else
      say(
        `${session.name} takes mail again${session.pending ? `; ${plural(session.pending, 'message')} waited` : ''}`,
      );
    return undefined;
  },
});
