import { z } from 'zod';
import type { Message, Session } from '../../api/types.js';
import { shownMessage } from '../shown.js';
import { defineTool } from '../tool.js';

const LIMIT = 'must be a whole number from 1 to 200';
const RECEIVED: ReadonlySet<Message['receipt']> = new Set(['submitted', 'received', 'done']);
// Of what is settled without a proof nothing more is brought.
const isNew = ({ state, receipt }: Message): boolean => state !== 'settled' && !RECEIVED.has(receipt);

export const checkInbox = defineTool({
  name: 'check_inbox',
  title: 'Check the inbox',
  description:
    'Mail to you, oldest first, with its text. Mail reaches you by itself: look here to see again what came, or what still waits (it will be brought to you; do not act on it twice). Called from outside of all sessions it is the inbox of the person.',
  effect: 'reads',
  input: z.strictObject({
    only: z
      .enum(['all', 'new'], 'must be all or new')
      .default('all')
      .describe('new: only what has not been brought yet, or what the person has not read'),
    limit: z.int(LIMIT).min(1, LIMIT).max(200, LIMIT).default(20),
  }),
  async run({ only, limit }, { ask, me }) {
    const session = await me();
    if (session) return { inbox_of: session.name, messages: await mailTo(session) };
    const { items, unread } = await ask((client) => client.inbox({ all: only === 'all', limit }));
    return {
      inbox_of: 'the person',
      unread,
      messages: items.map(({ id, from, text, in_reply_to, created_at, read_at }) => ({
        id,
        from: from.name,
        text,
        ...(in_reply_to && { in_reply_to }),
        sent_at: created_at,
        read: read_at !== null,
      })),
    };

    async function mailTo({ id }: Session): Promise<object[]> {
      // What it sent itself is among them.
      const some = await ask((client) => client.messages({ session: id, limit: limit * 5 }));
      return some
        .filter((one) => one.to.id === id && (only === 'all' || isNew(one)))
        .slice(-limit)
        .map((one) => ({ ...shownMessage(one), text: one.text }));
    }
  },
});
