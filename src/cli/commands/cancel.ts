import { defineCommand, JSON_OPTION } from '../command.js';
import { eachMessage } from '../each-message.js';
import { EXIT } from '../errors.js';

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
  run: ({ args, options }) =>
    eachMessage(
      args.message,
      options,
      (client, id) => client.cancel(id),
      ({ id, to }) => `cancelled ${id} for ${to.name}`,
    ),
});
