// Every endpoint: its path, what it takes and what it answers. The daemon gives each a handler.
import { createRoute, z } from '@hono/zod-openapi';
import * as m from './message-schemas.js';
import { body, count, failures, flag, json, queueFull, sessionRef, waitSeconds } from './route-parts.js';
import * as s from './schemas.js';
import * as t from './talk-schemas.js';

export * from './agent-routes.js';
export * from './draft-routes.js';
export * from './host-routes.js';
export * from './ops-routes.js';
export * from './reminder-routes.js';
export * from './sign-in-routes.js';
export * from './signal-routes.js';
export * from './talk-routes.js';

const messageRef = z.object({
  message: z.string().openapi({
    param: { name: 'message', in: 'path' },
    description: 'id, or an unambiguous beginning of it',
  }),
});

export const status = createRoute({
  method: 'get',
  path: '/status',
  summary: 'What runs',
  responses: { 200: json(s.Status, 'the daemon') },
});

export const stop = createRoute({
  method: 'post',
  path: '/stop',
  summary: 'Stop the daemon cleanly; sessions and queued messages stay',
  responses: { 202: json(z.object({ stopping: z.literal(true), pid: z.number() }), 'stopping') },
});

export const listSessions = createRoute({
  method: 'get',
  path: '/sessions',
  summary: 'All sessions',
  responses: { 200: json(z.object({ sessions: z.array(s.Session) }), 'sessions, oldest first') },
});

export const startSession = createRoute({
  method: 'post',
  path: '/sessions',
  summary: 'Start a program in a new tmux session',
  request: body(t.StartRequest),
  responses: { 201: json(s.Session, 'started'), ...failures },
});

export const adoptSession = createRoute({
  method: 'post',
  path: '/sessions/adopt',
  summary: 'Take over a pane that exists; a pane that is a session already is looked at anew',
  request: body(s.AdoptRequest),
  responses: { 201: json(s.Session, 'adopted'), ...failures },
});

export const listPanes = createRoute({
  method: 'get',
  path: '/panes',
  summary: 'The panes of a tmux server, those that look like agents first',
  request: { query: z.object({ host: s.HostRef.optional(), socket: s.Socket.optional() }) },
  responses: { 200: json(z.object({ panes: z.array(s.PaneInfo) }), 'panes'), ...failures },
});

export const getSession = createRoute({
  method: 'get',
  path: '/sessions/{session}',
  summary: 'One session',
  request: { params: sessionRef },
  responses: { 200: json(s.Session, 'the session'), ...failures },
});

export const updateSession = createRoute({
  method: 'patch',
  path: '/sessions/{session}',
  summary:
    'Rename, pause or resume a session, say whether mail may go past a draft there, its groups, or that it is busy',
  request: { params: sessionRef, ...body(s.UpdateRequest) },
  responses: { 200: json(s.Session, 'as it is now'), ...failures },
});

export const killSession = createRoute({
  method: 'delete',
  path: '/sessions/{session}',
  summary: 'End its pane and forget the session; what waits for it is cancelled',
  request: {
    params: sessionRef,
    query: z.object({
      keep: flag.openapi({ description: 'forget the session, but leave the pane as it is' }),
    }),
  },
  responses: {
    200: json(z.object({ id: z.string(), name: z.string(), cancelled: z.number() }), 'ended'),
    ...failures,
  },
});

export const sessionOutput = createRoute({
  method: 'get',
  path: '/sessions/{session}/output',
  summary:
    'What the pane shows: the last lines of screen and scrollback; with follow, then all bytes it prints',
  request: {
    params: sessionRef,
    query: z.object({ lines: count(1_000_000, 40), follow: flag, styles: flag }),
  },
  responses: { 200: { description: 'text', content: { 'text/plain': { schema: z.string() } } }, ...failures },
});

export const sessionScreen = createRoute({
  method: 'get',
  path: '/sessions/{session}/screen',
  summary:
    'The rows of its screen as text, with styles or without; If-None-Match makes an unchanged one cheap',
  request: {
    params: sessionRef,
    query: z.object({ format: z.enum(['ansi', 'text']).default('text') }),
  },
  responses: {
    200: { description: 'the rows', content: { 'text/plain': { schema: z.string() } } },
    304: { description: 'as it was' },
    ...failures,
  },
});

export const setPaused = createRoute({
  method: 'put',
  path: '/paused',
  summary: 'Stop or resume all delivery',
  request: body(z.object({ paused: z.boolean() }).strict()),
  responses: { 200: json(z.object({ paused: z.boolean() }), 'as it is now'), ...failures },
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

export const whoAmI = createRoute({
  method: 'get',
  path: '/whoami',
  summary: 'The session that a command runs in, by what its environment tells',
  request: {
    query: z
      .object({
        socket: z.string(),
        pane: z.string(),
        session: z.string(),
        threads: z.string().openapi({ description: "the agent's conversations, with commas between them" }),
      })
      .partial(),
  },
  responses: { 200: json(s.Session, 'the session'), ...failures },
});

export const feed = createRoute({
  method: 'get',
  path: '/events',
  summary: 'Sessions, messages and receipts as they change (server-sent events; Last-Event-ID resumes)',
  responses: {
    200: { description: 'a stream of events', content: { 'text/event-stream': { schema: z.string() } } },
  },
});

export const feedSocket = createRoute({
  method: 'get',
  path: '/ws',
  summary: 'The same feed over WebSocket: text frames of {id, event}',
  request: {
    query: z.object({
      last_event_id: z.string().optional().openapi({ description: 'go on behind this event' }),
      screens: z.enum(['1']).optional().openapi({ description: 'also tell when a screen has changed' }),
      alive: z.enum(['1']).optional().openapi({ description: 'also say so when nothing has happened' }),
    }),
  },
  responses: {
    426: json(
      s.ApiError,
      'the request does not ask for WebSocket; one that does is not answered but upgraded',
    ),
  },
});

export const sessionTerminal = createRoute({
  method: 'get',
  path: '/sessions/{session}/terminal',
  summary: "A session's terminal over WebSocket: a picture, then what it prints; takes keys",
  request: { params: sessionRef },
  responses: {
    426: json(
      s.ApiError,
      'the request does not ask for WebSocket; one that does is not answered but upgraded',
    ),
    ...failures,
  },
});
