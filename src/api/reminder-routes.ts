// The endpoints for reminders.
import { createRoute, z } from '@hono/zod-openapi';
import * as r from './reminder-schemas.js';
import { body, count, failures, json } from './route-parts.js';

export const remind = createRoute({
  method: 'post',
  path: '/reminders',
  summary: 'Have something said at a time, to a session or to a person; it survives restarts',
  request: body(r.RemindRequest),
  responses: { 201: json(r.Reminder, 'stored'), ...failures },
});

export const listReminders = createRoute({
  method: 'get',
  path: '/reminders',
  summary: 'Reminders that are still to come, the next one first',
  request: { query: z.object({ limit: count(10_000, 1000) }) },
  responses: { 200: json(z.object({ reminders: z.array(r.Reminder) }), 'reminders'), ...failures },
});

export const cancelReminder = createRoute({
  method: 'delete',
  path: '/reminders/{reminder}',
  summary: 'Cancel a reminder',
  request: {
    params: z.object({
      reminder: z.string().openapi({
        param: { name: 'reminder', in: 'path' },
        description: 'id, or an unambiguous beginning of it',
      }),
    }),
  },
  responses: { 200: json(r.Reminder, 'cancelled'), ...failures },
});
