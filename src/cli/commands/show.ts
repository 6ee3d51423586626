import type { InboxItem, MessageWithEvents, Session } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { CliError, EXIT } from '../errors.js';
import { messageId } from '../message-id.js';
import { nearest } from '../nearest.js';
import { orMissing } from '../own-session.js';
import { sayJson } from '../print.js';

export default defineCommand({
  about: [
    'Of a message: its text and the whole timeline of its events. Of a session: what it is and what waits for it.',
  ],
  args: [
    {
      name: 'session|message',
      field: ['session', 'message'],
      help: 'name or id of a session, or id of a message',
      completes: 'sessions',
    },
  ],
  options: { json: JSON_OPTION },
  examples: [
    { run: 'sm show api', does: 'a session, with its pending messages' },
    { run: 'sm show 7f3a9c', does: 'a message, with its timeline' },
  ],
  async run({ args, options }) {
    const ref = args['session|message'];
    const session = ref.startsWith('#') ? undefined : await orMissing(ask((client) => client.session(ref)));
    if (session) await showSession(session, options.json);
    else await showOther(ref, options.json);
    return undefined;
  },
});

async function showOther(ref: string, json: boolean): Promise<void> {
  const message = await orMissing(ask((client) => client.message(messageId(ref))));
  if (message) return showMessage(message, json);
  const item = await orMissing(ask((client) => client.inboxItem(messageId(ref))));
  if (item) return showItem(item, json);
  const names = (await ask((client) => client.sessions())).map(({ name }) => name);
  const close = nearest(ref, names);
  throw new CliError(
    `no session or message "${ref}"${close ? `; did you mean "${close}"?` : ''}`,
    EXIT.missing,
    'sm ls lists the sessions, sm history the messages',
  );
}

async function showSession(session: Session, json: boolean): Promise<void> {
  if (json) return sayJson(session);
  const about = await ask((client) => client.messages({ session: session.id, pending: true, limit: 1000 }));
  (await import('../show.js')).saySession(
    session,
    about.filter(({ to }) => to.id === session.id),
  );
}

async function showMessage(message: MessageWithEvents, json: boolean): Promise<void> {
  if (json) return sayJson(message);
  const talk = await (await import('../conversation.js')).conversation(message.thread);
  (await import('../show.js')).sayMessage(message, talk);
}

async function showItem(item: InboxItem, json: boolean): Promise<void> {
  if (json) return sayJson(item);
  const talk = await (await import('../conversation.js')).conversation(item.thread);
  (await import('../show.js')).sayInboxItem(item, talk);
}
