import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { namedOrOwn } from '../own-session.js';
import { say, sayJson } from '../print.js';
import { SESSION_COLUMNS, sessionRow } from '../rows.js';
import { sayTable } from '../table.js';

export default defineCommand({
  about: ['A session that an agent starts, with sm spawn or sm new, is its child.'],
  args: [
    {
      name: 'session',
      optional: true,
      help: 'name or id; otherwise the session that this runs in',
      completes: 'sessions',
    },
  ],
  options: { json: JSON_OPTION },
  examples: [
    { run: 'sm children', does: 'inside an agent: those that it has started' },
    { run: 'sm children lead --json | jq -r ".[].name"', does: 'of another, for a script' },
  ],
  async run({ args, options }) {
    const { id, name } = await namedOrOwn(args.session, 'sm children NAME');
    const children = await ask((client) => client.children(id));
    if (options.json) sayJson(children);
    else if (children.length === 0) say(`${name} has no children`);
    else sayTable(SESSION_COLUMNS, children.map(sessionRow));
    return undefined;
  },
});
