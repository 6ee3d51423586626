import type { Message } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ApiFailure, ask } from '../connect.js';
import { EXIT } from '../errors.js';
import { messageId } from '../message-id.js';
import { say, sayJson } from '../print.js';

export default defineCommand({
  about: ['Each is tried, whatever became of those before it; the exit code is the highest of theirs.'],
  args: [
    {
      name: 'message',
      many: true,
      help: 'id of each message, or an unambiguous beginning of it',
      completes: 'messages',
    },
  ],
  options: { json: JSON_OPTION },
  examples: [{ run: 'sm cancel 7f3a9c', does: 'cancel a message that still waits' }],
  exits: [
    [EXIT.missing, 'no such message'],
    [EXIT.refused, 'too late: its text is in the input box, or it was delivered'],
  ],
  async run({ args, options }) {
    const cancelled: Message[] = [];
    let worst: number = EXIT.ok;
    for (const ref of args.message) {
      try {
        const message = await ask((client) => client.cancel(messageId(ref)));
        cancelled.push(message);
        if (!options.json) say(`cancelled ${message.id} for ${message.to.name}`);
      } catch (error) {
        // Without a daemon the others would fail in the same way.
        if (!(error instanceof ApiFailure)) throw error;
        worst = Math.max(worst, await (await import('../report.js')).report(error, []));
      }
    }
    // An error alone is never an answer.
    if (options.json && cancelled.length) sayJson(cancelled);
    return worst;
  },
});
