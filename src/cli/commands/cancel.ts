import type { Message } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { EXIT } from '../errors.js';
import { messageId } from '../message-id.js';
import { say, sayJson } from '../print.js';

export default defineCommand({
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
  exits: [[EXIT.refused, 'too late: its text is in the input box, or it was delivered']],
  async run({ args, options }) {
    const cancelled: Message[] = [];
    for (const ref of args.message) {
      const message = await ask((client) => client.cancel(messageId(ref)));
      cancelled.push(message);
      if (!options.json) say(`cancelled ${message.id} for ${message.to.name}`);
    }
    if (options.json) sayJson(cancelled);
    return undefined;
  },
});
