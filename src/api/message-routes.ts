// The endpoints for messages: sending them, and what becomes of those that wait or did not arrive.
import { createRoute, z } from '@hono/zod-openapi';
import * as m from './message-schemas.js';
import { body, count, failures, flag, json, queueFull, waitSeconds } from './route-parts.js';

const messageRef = z.object({
  message: z.string().openapi({
    param: { name: 'message', in: 'path' },
    description: 'id, or an unambiguous beginning of it',
  }),
});

export const sendMessage = createRoute({
  method: 'post',
  path: '/messages',
  summary: 'Store a message for each recipient; answered once it is on disk',
  request: body(m.SendRequest),
  responses: {
    202: json(m.SendResponse, 'stored; with dry_run nothing is, and `plans` says what would happen'),
    ...failures,
    ...queueFull,
  },
});

export const listMessages = createRoute({
  method: 'get',
  path: '/messages',
  summary: 'Messages, newest last',
  request: {
    query: z.object({
      session: z.string().optional().openapi({ description: 'to or from this session' }),
      pending: flag.openapi({ description: 'only those that wait, in the order of delivery' }),
      dead: flag.openapi({ description: 'only dead letters: given up after too many failed attempts' }),
      thread: z.string().optional().openapi({ description: 'only those of this conversation, oldest first' }),
      q: z.string().min(1).max(200).optional().openapi({
        description:
          'only those with this in their text, or in the name of whom they are from or to; in any case',
      }),
      before: z.string().optional().openapi({ description: 'id: only those stored before this one' }),
      limit: count(10_000, 50),
    }),
  },
  responses: { 200: json(z.object({ messages: z.array(m.Message) }), 'messages'), ...failures },
});

export const getMessage = createRoute({
  method: 'get',
  path: '/messages/{message}',
  summary: 'One message with all its events',
  request: { params: messageRef },
  responses: { 200: json(m.MessageWithEvents, 'the message'), ...failures },
});

export const cancelMessage = createRoute({
  method: 'delete',
  path: '/messages/{message}',
  summary: 'Cancel a message that has not been typed yet',
  request: { params: messageRef },
  responses: { 200: json(m.Message, 'cancelled'), ...failures },
});

export const changeMessage = createRoute({
  method: 'patch',
  path: '/messages/{message}',
  summary:
    'Change how a message goes that still waits: send it now, interrupt for it, let it go past a draft',
  request: { params: messageRef, ...body(m.ChangeRequest) },
  responses: { 200: json(m.Message, 'as it is now'), ...failures },
});

export const moveMessage = createRoute({
  method: 'post',
  path: '/messages/{message}/move',
  summary: 'Put a message that waits in front of another to the same session in the same mode, or behind all',
  request: { params: messageRef, ...body(m.MoveRequest) },
  responses: { 200: json(m.Message, 'as it is now'), ...failures },
});

export const redeliverMessage = createRoute({
  method: 'post',
  path: '/messages/{message}/redeliver',
  summary: 'Deliver a dead letter after all; its failures are forgotten',
  request: { params: messageRef },
  responses: { 200: json(m.Message, 'it waits again'), ...failures },
});

export const waitForMessage = createRoute({
  method: 'get',
  path: '/messages/{message}/wait',
  summary:
    'Answers when the receipt is reached, can no longer be reached, or the time is over; look at `outcome`',
  request: {
    params: messageRef,
    query: z.object({
      for: z.enum(['submitted', 'received', 'done']).default('submitted'),
      timeout: waitSeconds,
    }),
  },
  responses: { 200: json(m.MessageWait, 'as it is now'), ...failures },
});
