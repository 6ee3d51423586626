// Signals as they cross the API.
import { z } from '@hono/zod-openapi';

export const Signal = z
  .object({
    ordinal: z.number().openapi({ description: 'its number among the signals of all sessions; grows' }),
    session: z.object({ id: z.string(), name: z.string().nullable() }),
    seq: z.number().openapi({ description: 'its number in its session, from 1 on; grows' }),
    state: z.string(),
    message: z.string(),
    id: z.string().nullable().openapi({ description: 'as its agent gave it' }),
    door: z.string().openapi({
      description:
        'through which it came first: marker, transcript, command, hook, file, mcp or http; inferred: its agent did not say it',
    }),
    at: z.string().openapi({ description: 'when it was said' }),
    confidence: z.number().nullable().openapi({ description: 'of an inferred one, from 0 to 1' }),
    urgency: z.enum(['low', 'normal', 'high']),
    attention: z.boolean().openapi({ description: 'somebody should look' }),
  })
  .openapi('Signal');
