// The short endpoints, which stand at the root and not under /api/v1: send, look at a queue, set a reminder.
import { createRoute, z } from '@hono/zod-openapi';
import { body, failures, json, queueFull } from './route-parts.js';
import * as s from './short-schemas.js';

const sessionRef = z.object({
  session_id: z.string().openapi({
    param: { name: 'session_id', in: 'path' },
    description: 'id, name, or an unambiguous beginning of an id',
  }),
});

// Names the message that was stored: the body has no field for it.
export const MESSAGE_HEADER = 'Suremail-Message';

export const shortSend = createRoute({
  method: 'post',
  path: '/sessions/{session_id}/send',
  summary: 'Send a message to one session; urgent mail is waited for up to 5 seconds',
  request: { params: sessionRef, ...body(s.ShortSendRequest) },
  responses: {
    200: {
      ...json(s.ShortSendResponse, 'stored, or delivered already'),
      headers: z.object({
        [MESSAGE_HEADER]: z.string().openapi({ description: 'the id of the message' }),
      }),
    },
    ...failures,
    ...queueFull,
  },
});

export const shortQueue = createRoute({
  method: 'get',
  path: '/sessions/{session_id}/send-queue',
  summary: 'What waits for a session',
  request: { params: sessionRef },
  responses: { 200: json(s.SendQueue, 'its queue'), ...failures },
});

export const shortRemind = createRoute({
  method: 'post',
  path: '/scheduler/remind',
  summary: 'Remind a session of something after a while',
  request: body(s.ShortRemindRequest),
  responses: { 200: json(s.ShortRemindResponse, 'stored; it survives a restart'), ...failures },
});
