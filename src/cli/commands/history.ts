import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { say, sayJson } from '../print.js';
import { HISTORY_COLUMNS, historyRow } from '../rows.js';
import { sayTable } from '../table.js';

export default defineCommand({
  about: [
    'Texts are cut to fit the terminal, in a pipe after 300 columns; --json and sm show have them whole.',
  ],
  args: [
    { name: 'session', optional: true, help: 'only messages to or from this session', completes: 'sessions' },
  ],
  options: {
    limit: { kind: 'number', value: 'COUNT', short: 'n', initial: 20, most: 10_000, help: 'how many' },
    json: JSON_OPTION,
  },
  examples: [
    { run: 'sm history', does: 'the last messages of all sessions' },
    { run: 'sm history api -n 100', does: 'the last hundred to or from one session' },
    { run: 'sm history --json | jq -r ".[].text"', does: 'the texts, for a script' },
  ],
  async run({ args, options }) {
    const session = args.session === undefined ? {} : { session: args.session };
    const messages = await ask((client) => client.messages({ ...session, limit: options.limit }));
    if (options.json) sayJson(messages);
    else if (messages.length === 0) say('no messages yet');
    else sayTable(HISTORY_COLUMNS, messages.map(historyRow));
    return undefined;
  },
});
