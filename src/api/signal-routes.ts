// The endpoints for signals: reporting one, what was reported, and who asks for attention.
import { createRoute, z } from '@hono/zod-openapi';
import { body, count, failures, json, sessionRef } from './route-parts.js';
import * as g from './signal-schemas.js';

export const reportSignal = createRoute({
  method: 'post',
  path: '/sessions/{session}/signals',
  summary: 'Report a status of its agent; answered once it is on disk',
  request: { params: sessionRef, ...body(g.SignalRequest) },
  responses: {
    200: json(g.SignalResponse, 'it was reported before'),
    201: json(g.SignalResponse, 'it is new'),
    ...failures,
  },
});

export const listSignals = createRoute({
  method: 'get',
  path: '/signals',
  summary: 'What agents have reported, oldest first: the newest of it, or with `after` what follows',
  request: {
    query: z.object({
      session: z.string().optional().openapi({ description: 'only of this session' }),
      after: z.coerce.number().int().min(0).optional().openapi({
        description: 'only what has a higher number: `seq` with a session, else `ordinal`',
      }),
      since: z.iso
        .datetime({ offset: true, error: 'must be a moment such as 2026-01-31T17:30:00Z' })
        .optional()
        .openapi({ description: 'only what was said then or later' }),
      limit: count(10_000, 50),
    }),
  },
  responses: { 200: json(z.object({ signals: z.array(g.Signal) }), 'signals'), ...failures },
});

export const attention = createRoute({
  method: 'get',
  path: '/attention',
  summary: 'The sessions whose last signal asks for attention, and that do not work again since',
  responses: { 200: json(g.Attention, 'sessions') },
});
