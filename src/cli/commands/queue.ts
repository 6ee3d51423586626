import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { say, sayJson } from '../print.js';
import { QUEUE_COLUMNS, queueRow } from '../rows.js';
import { sayTable } from '../table.js';

const MOST = 10_000;

export default defineCommand({
  about: [
    'Texts are cut to fit the terminal, in a pipe after 300 columns; --json and sm show have them whole.',
  ],
  args: [
    { name: 'session', optional: true, help: 'only what waits for this session', completes: 'sessions' },
  ],
  options: { json: JSON_OPTION },
  examples: [
    { run: 'sm queue', does: 'everything that waits, and why' },
    { run: 'sm queue api', does: 'what waits for one session' },
  ],
  async run({ args, options }) {
    const ref = args.session;
    const session = ref === undefined ? undefined : await ask((client) => client.session(ref));
    const all = await ask((client) =>
      client.messages({ pending: true, limit: MOST, ...(session ? { session: session.id } : {}) }),
    );
    const waiting = session ? all.filter(({ to }) => to.id === session.id) : all;
    if (options.json) sayJson(waiting);
    else if (waiting.length === 0) say(session ? `nothing waits for ${session.name}` : 'nothing waits');
    else sayTable(QUEUE_COLUMNS, waiting.map(queueRow));
    return undefined;
  },
});
