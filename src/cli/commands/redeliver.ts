import { defineCommand, JSON_OPTION } from '../command.js';
import { eachMessage } from '../each-message.js';
import { EXIT } from '../errors.js';

export default defineCommand({
  about: [
    'Each goes back to its place in the queue under the id that it had, and its failures and its deadline are forgotten.',
  ],
  args: [
    {
      name: 'message',
      many: true,
      help: 'id of each dead letter, or an unambiguous beginning of it',
      completes: 'messages',
    },
  ],
  options: { json: JSON_OPTION },
  examples: [{ run: 'sm redeliver 7f3a9c', does: 'try again to deliver a message that was given up' }],
  exits: [
    [EXIT.missing, 'no such message'],
    [EXIT.refused, 'it is no dead letter, or its session was removed'],
  ],
  run: ({ args, options }) =>
    eachMessage(
      args.message,
      options,
      (client, id) => client.redeliver(id),
      ({ id, to }) => `queued ${id} for ${to.name} again`,
    ),
});
