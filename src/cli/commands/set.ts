import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { UsageError } from '../errors.js';
import { PAST_DRAFT_ABOUT, PAST_DRAFT_RESET } from '../past-draft.js';
import { say, sayJson } from '../print.js';

export default defineCommand({
  about: [...PAST_DRAFT_ABOUT],
  args: [{ name: 'session', help: 'name or id', completes: 'sessions' }],
  options: { 'past-draft': PAST_DRAFT_RESET, json: JSON_OPTION },
  examples: [
    { run: 'sm set api --past-draft never', does: 'its mail waits for as long as a draft is there' },
    { run: 'sm set api --past-draft default', does: 'as the configuration says' },
  ],
  async run({ args, options }) {
    const value = options['past-draft'];
    if (value === undefined)
      throw new UsageError('nothing to set: give --past-draft', 'sm set --help shows how it is used');
    const change = { past_draft: value === 'default' ? null : value };
    const session = await ask((client) => client.update(args.session, change));
    if (options.json) sayJson(session);
    else say(`${session.name}: past_draft is ${session.past_draft ?? 'as the configuration says'}`);
    return undefined;
  },
});
