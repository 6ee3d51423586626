// Reminders as they cross the API.
import { z } from '@hono/zod-openapi';
import { Sender, SendRequest } from './message-schemas.js';

const MAX_SECONDS = 366 * 24 * 3600;

const seconds = (description: string) =>
  z
    .number()
    .positive({ error: 'must be more than 0' })
    .max(MAX_SECONDS, { error: 'must be at most 366 days' })
    .openapi({ description });

export const RemindRequest = z
  .object({
    text: SendRequest.shape.text,
    to: z.string().min(1, { error: 'must be the name or the id of a session, or "@me"' }).optional().openapi({
      description: 'a session, or "@me" for the inbox; default: whoever asks',
    }),
    in_seconds: seconds('so long from now').optional(),
    at: z.iso
      .datetime({ offset: true, error: 'must be a date and time with a zone, such as 2026-07-25T17:30:00Z' })
      .optional()
      .openapi({ description: 'at this time' }),
    every_seconds: seconds('again and again; without in_seconds and at, first so long from now')
      .min(1, { error: 'must be at least 1' })
      .optional(),
    from: Sender.optional(),
  })
  .strict()
  .refine(({ in_seconds, at }) => in_seconds === undefined || at === undefined, {
    path: ['at'],
    error: 'must not be given together with in_seconds',
  })
  .refine(
    ({ in_seconds, at, every_seconds }) =>
      in_seconds !== undefined || at !== undefined || every_seconds !== undefined,
    { path: ['in_seconds'], error: 'must be given, or at, or every_seconds' },
  )
  .openapi('RemindRequest');

export const Reminder = z
  .object({
    id: z.string(),
    to: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .openapi({ description: 'null: a person, in the inbox' }),
    from: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .openapi({ description: 'the session that asked for it; null: a person' }),
    text: z.string(),
    due_at: z.string(),
    every_seconds: z.number().nullable(),
    fired: z.number().openapi({ description: 'how often it was said' }),
    state: z
      .enum(['waiting', 'done', 'cancelled', 'dropped'])
      .openapi({ description: 'dropped: whoever it was for has gone' }),
    created_at: z.string(),
  })
  .openapi('Reminder');
