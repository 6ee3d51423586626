import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { plural, say, sayJson } from '../print.js';

export default defineCommand({
  about: ['What still waits for it is cancelled.'],
  args: [{ name: 'session', many: true, help: 'name or id of each', completes: 'sessions' }],
  options: {
    keep: { kind: 'flag', help: 'leave the pane and its program as they are' },
    json: JSON_OPTION,
  },
  examples: [
    { run: 'sm kill api', does: 'end the pane and forget the session' },
    { run: 'sm kill --keep api', does: 'only forget the session' },
  ],
  async run({ args, options }) {
    const ended: { id: string; name: string; cancelled: number }[] = [];
    for (const ref of args.session) {
      const one = await ask((client) => client.kill(ref, options.keep ? { keep: true } : {}));
      ended.push(one);
      const cancelled = one.cancelled ? `; ${plural(one.cancelled, 'message')} cancelled` : '';
      if (!options.json) say(`${options.keep ? 'forgot' : 'ended'} ${one.name} (${one.id})${cancelled}`);
    }
    if (options.json) sayJson(ended);
    return undefined;
  },
});
