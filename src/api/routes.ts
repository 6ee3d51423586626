// Every endpoint: its path, what it takes and what it answers. The daemon gives each a handler.
import { createRoute, z } from '@hono/zod-openapi';
import { body, count, failures, flag, json, sessionRef } from './route-parts.js';
import * as s from './schemas.js';
import * as t from './talk-schemas.js';

export * from './agent-routes.js';
export * from './draft-routes.js';
export * from './host-routes.js';
export * from './message-routes.js';
export * from './ops-routes.js';
export * from './reminder-routes.js';
export * from './sign-in-routes.js';
export * from './signal-routes.js';
export * from './talk-routes.js';

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
