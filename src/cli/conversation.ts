// A conversation from its first message on: what went to sessions and what went to the person, in one row.
import { ask } from './connect.js';
import type { Said } from './show.js';

const MOST = 200;

export async function conversation(thread: string): Promise<Said[]> {
  const [messages, inbox] = await Promise.all([
    ask((client) => client.messages({ thread, limit: MOST })),
    ask((client) => client.inbox({ thread, limit: MOST })),
  ]);
  const said = [
    ...messages.map((message): Said => ({ ...message, to: message.to.name })),
    ...inbox.items.map((item): Said => ({ ...item, to: '@me' })),
  ];
  return said.sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
}
