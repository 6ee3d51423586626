// Answers, waiting, kin and groups as they cross the API.
import { z } from '@hono/zod-openapi';
import { InboxItem, Message, Sender, SendRequest, SendResponse } from './message-schemas.js';
import * as s from './schemas.js';
import { Signal } from './signal-schemas.js';

export const StartRequest = s.StartRequest.extend({
  from: Sender.optional().openapi({
    description: 'who starts it: the session of an agent becomes its parent',
  }),
  groups: s.Groups.default([]),
}).openapi('StartRequest');

export const Inbox = z
  .object({ items: z.array(InboxItem), unread: z.number() })
  .openapi('Inbox', { description: 'newest last' });

export const InboxRead = z
  .object({ read: z.number().openapi({ description: 'how many were unread' }) })
  .openapi('InboxRead');

export const ReplyRequest = SendRequest.omit({
  to: true,
  command: true,
  dry_run: true,
  in_reply_to: true,
  wait_for: true,
})
  .extend({
    to: z.string().min(1).max(200).optional().openapi({
      description:
        'id of the message that is answered, or the name of who sent it; otherwise the one that the agent is handling',
    }),
  })
  .openapi('ReplyRequest');

export const ReplyResponse = SendResponse.extend({
  answers: z.string().nullable().openapi({ description: 'id of the message that is answered' }),
}).openapi('ReplyResponse');

export const WaitGoal = z
  .string()
  .regex(/^(?:idle|signal:[a-z][a-z0-9_-]{0,31})$/, {
    error: 'must be idle, signal:any, or signal: and a state, such as signal:needs_input',
  })
  .openapi({ example: 'signal:needs_input' });

export const SessionWait = z
  .object({
    outcome: z.enum(['reached', 'never', 'timeout']),
    reason: z.string().nullable().openapi({ description: 'why it is not reached' }),
    status: s.AgentStatus,
    signal: Signal.nullable().openapi({ description: 'the one that was waited for' }),
  })
  .openapi('SessionWait');

export const SpawnRequest = StartRequest.partial({ command: true })
  .extend({
    text: SendRequest.shape.text,
    as: SendRequest.shape.as,
  })
  .openapi('SpawnRequest', { description: 'without a command: the `spawn_agent` of the configuration' });

export const SpawnResponse = z
  .object({ session: s.Session, message: Message })
  .openapi('SpawnResponse', { description: 'the session, and the first message to it' });

export const Group = z
  .object({ name: z.string(), sessions: z.array(z.object({ id: z.string(), name: z.string() })) })
  .openapi('Group');

const refs = z.array(z.string().min(1)).max(100).default([]);
export const GroupChange = z
  .object({ add: refs, remove: refs })
  .strict()
  .refine(({ add, remove }) => add.length + remove.length > 0, {
    error: 'must name at least one session in add or remove',
  })
  .openapi('GroupChange');
