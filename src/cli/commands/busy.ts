import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { namedOrOwn } from '../own-session.js';
import { oneLine, say, sayJson } from '../print.js';

export default defineCommand({
  about: [
    'An agent that wants to finish something says so: sequential mail waits until sm ready, or until its process ends. Important and urgent mail does not wait.',
  ],
  args: [{ name: 'reason', field: 'busy', optional: true, help: 'with what, in a few words' }],
  options: {
    session: {
      kind: 'text',
      value: 'NAME',
      help: 'another session than the one that this runs in',
      completes: 'sessions',
    },
    json: JSON_OPTION,
  },
  examples: [
    { run: 'sm busy "migrating the database"', does: 'inside an agent: sequential mail waits' },
    { run: 'sm busy --session api', does: 'for another session' },
  ],
  async run({ args, options }) {
    const { id } = await namedOrOwn(options.session, 'sm busy --session NAME');
    const session = await ask((client) => client.update(id, { busy: args.reason || true }));
    if (options.json) sayJson(session);
    else
      say(
        `${session.name} is busy${session.busy_reason ? `: ${oneLine(session.busy_reason)}` : ''}; sequential mail waits until sm ready`,
      );
    return undefined;
  },
});
