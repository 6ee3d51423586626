import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { say, sayJson } from '../print.js';
import { SESSION_COLUMNS, sessionRow } from '../rows.js';
import { sayTable } from '../table.js';

export default defineCommand({
  args: [],
  options: { json: JSON_OPTION },
  examples: [
    { run: 'sm ls', does: 'all sessions, oldest first' },
    { run: 'sm ls --json | jq -r ".[].name"', does: 'their names, for a script' },
  ],
  async run({ options }) {
    const sessions = await ask((client) => client.sessions());
    if (options.json) sayJson(sessions);
    else if (sessions.length === 0)
      say('no sessions yet; start one with `sm new -- command`, or take one over with `sm adopt`');
    else sayTable(SESSION_COLUMNS, sessions.map(sessionRow));
    return undefined;
  },
});
