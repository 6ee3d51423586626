// The endpoints for the inbox, answers, waiting for a session, kin and groups.
import { createRoute, z } from '@hono/zod-openapi';
import { InboxItem } from './message-schemas.js';
import { body, count, failures, flag, json, queueFull, sessionRef, waitSeconds } from './route-parts.js';
import { GroupName, Session } from './schemas.js';
import * as t from './talk-schemas.js';

const itemRef = z.object({
  item: z.string().openapi({
    param: { name: 'item', in: 'path' },
    description: 'id, or an unambiguous beginning of it',
  }),
});
const groupRef = z.object({
  group: GroupName.openapi({ param: { name: 'group', in: 'path' } }),
});

export const listInbox = createRoute({
  method: 'get',
  path: '/inbox',
  summary: 'Mail to the person (@me): what nobody has read, or all of it; the newest of it',
  request: {
    query: z.object({
      all: flag.openapi({ description: 'also what was read' }),
      thread: z.string().optional().openapi({ description: 'all of this conversation, oldest first' }),
      limit: count(10_000, 50),
    }),
  },
  responses: { 200: json(t.Inbox, 'the inbox'), ...failures },
});

export const getInboxItem = createRoute({
  method: 'get',
  path: '/inbox/{item}',
  summary: 'One mail to the person',
  request: { params: itemRef },
  responses: { 200: json(InboxItem, 'the mail'), ...failures },
});

export const readInboxItem = createRoute({
  method: 'post',
  path: '/inbox/{item}/read',
  summary: 'It has been read',
  request: { params: itemRef },
  responses: { 200: json(InboxItem, 'as it is now'), ...failures },
});

export const readInbox = createRoute({
  method: 'post',
  path: '/inbox/read',
  summary: 'All that is unread has been read',
  responses: { 200: json(t.InboxRead, 'marked as read') },
});

export const reply = createRoute({
  method: 'post',
  path: '/replies',
  summary: 'Answer a message: that which the agent is handling, or a given one; a person answers the inbox',
  request: body(t.ReplyRequest),
  responses: { 202: json(t.ReplyResponse, 'stored for whoever sent the message'), ...failures, ...queueFull },
});

export const waitForSession = createRoute({
  method: 'get',
  path: '/sessions/{session}/wait',
  summary:
    'Answers when its agent rests after all that it was sent, or has a signal; when it never will, or the time is over',
  request: {
    params: sessionRef,
    query: z.object({
      for: t.WaitGoal.default('idle'),
      after: z.coerce.number().int().min(0).optional().openapi({
        description: 'of a signal: only one with a higher seq; otherwise the state that it is in counts',
      }),
      timeout: waitSeconds,
    }),
  },
  responses: { 200: json(t.SessionWait, 'as it is now'), ...failures },
});

export const listChildren = createRoute({
  method: 'get',
  path: '/sessions/{session}/children',
  summary: 'The sessions that its agent has started',
  request: { params: sessionRef },
  responses: { 200: json(z.object({ sessions: z.array(Session) }), 'sessions, oldest first'), ...failures },
});

export const spawn = createRoute({
  method: 'post',
  path: '/spawn',
  summary: 'Start an agent, the configured one unless a command is given, with a first message',
  request: body(t.SpawnRequest),
  responses: { 201: json(t.SpawnResponse, 'started, and the message stored'), ...failures },
});

export const listGroups = createRoute({
  method: 'get',
  path: '/groups',
  summary: 'All groups, each with its sessions',
  responses: { 200: json(z.object({ groups: z.array(t.Group) }), 'groups by name') },
});

export const changeGroup = createRoute({
  method: 'patch',
  path: '/groups/{group}',
  summary: 'Put sessions into a group, or take them out; one without sessions is no more',
  request: { params: groupRef, ...body(t.GroupChange) },
  responses: { 200: json(t.Group, 'as it is now'), ...failures },
});
