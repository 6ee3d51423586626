import type { ReplyResponse } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { EXIT, UsageError } from '../errors.js';
import { messageId } from '../message-id.js';
import { FILE_OPTION, messageText, TEXT_ARGUMENT } from '../message-text.js';
import { say, sayJson } from '../print.js';
import { senderFrom } from '../sender.js';

export default defineCommand({
  about: [
    'An agent needs no id: the answer goes to whoever sent the message that it is handling; of several in one turn the one that came last, and between turns the last one that it received. Where one turn has mail of several senders, name one.',
    'A person answers the inbox: by the id of a mail, or by the name of a sender for the newest that is unread. The mail then counts as read.',
    'The answer is mail like any other, to a session or to the inbox of the person who asked.',
  ],
  args: [
    { name: 'to', optional: true, help: 'id of the message that is answered, or the name of who sent it' },
    TEXT_ARGUMENT,
  ],
  options: {
    to: { kind: 'text', value: 'MESSAGE', help: 'the same as the argument' },
    file: FILE_OPTION,
    important: {
      kind: 'flag',
      help: 'take it at the next point inside the turn, ahead of other mail',
      field: 'mode',
    },
    key: { kind: 'text', value: 'KEY', help: 'sent twice with the same key it is one answer' },
    json: JSON_OPTION,
  },
  examples: [
    { run: 'sm reply "all tests pass"', does: 'inside an agent: to who sent what it works on' },
    { run: 'sm reply 7f3a9c "yes, go ahead"', does: 'to a message, or to a mail in the inbox' },
    { run: 'sm reply api "yes, go ahead"', does: 'to the newest of a sender' },
  ],
  exits: [
    [EXIT.missing, 'there is no message to answer'],
    [EXIT.refused, 'who sent it has gone; nothing was stored'],
  ],
  async run({ args, options }) {
    if (args.to !== undefined && options.to !== undefined)
      throw new UsageError(`give "${args.to}" or --to, not both`);
    const to = args.to ?? options.to;
    const text = await messageText(args.text, options.file);
    const from = senderFrom(process.env);
    const response = await ask((client) =>
      client.reply({
        text,
        ...(to === undefined ? {} : { to: messageId(to) }),
        ...(from ? { from } : {}),
        ...(options.important ? { mode: 'important' } : {}),
        ...(options.key === undefined ? {} : { key: options.key }),
      }),
    );
    if (options.json) sayJson(response);
    else say(stored(response));
    return EXIT.ok;
  },
});

function stored({ messages: [message], inbox: [item], answers }: ReplyResponse): string {
  const where = message ? `queued ${message.id} for ${message.to.name}` : `put ${item?.id} into the inbox`;
  return `${where}, in answer to ${answers}`;
}
