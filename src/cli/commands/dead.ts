import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { say, sayJson } from '../print.js';
import { HISTORY_COLUMNS, historyRow } from '../rows.js';
import { sayTable } from '../table.js';

export default defineCommand({
  about: [
    'A message whose attempts failed too often (max_attempts) is given up and kept here with its history.',
    '"sm show" tells what happened to it, "sm redeliver" puts it back into the queue. It is listed for as long as history is kept (history_days).',
  ],
  args: [
    { name: 'session', optional: true, help: 'only those to or from this session', completes: 'sessions' },
  ],
  options: {
    limit: { kind: 'number', value: 'COUNT', short: 'n', initial: 20, most: 10_000, help: 'how many' },
    json: JSON_OPTION,
  },
  examples: [{ run: 'sm dead', does: 'all dead letters, the newest last' }],
  async run({ args, options }) {
    const session = args.session === undefined ? {} : { session: args.session };
    const messages = await ask((client) => client.messages({ ...session, dead: true, limit: options.limit }));
    if (options.json) sayJson(messages);
    else if (messages.length === 0) say('no dead letters');
    else sayTable(HISTORY_COLUMNS, messages.map(historyRow));
    return undefined;
  },
});
