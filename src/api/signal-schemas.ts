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

// Who says it is known by the path; the daemon knows the states.
export const SignalRequest = z
  .object({
    state: z.string().openapi({
      description:
        'working, idle, needs_input, needs_testing, completed, error, or one that signal_states in the configuration adds',
      example: 'needs_input',
    }),
    message: z
      .string()
      .default('')
      .openapi({ description: 'one line; of a longer text the first 2000 characters are kept' }),
    id: z
      .string()
      .optional()
      .openapi({ description: 'given by the agent: the same id of the same session is the same signal' }),
    key: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .openapi({ description: 'the same key again is the same request; as the header Idempotency-Key' }),
    door: z
      .enum(['http', 'command', 'mcp'], { error: 'must be http, command or mcp' })
      .default('http')
      .openapi({ description: 'how the agent said it' }),
  })
  .strict()
  .openapi('SignalRequest');

export const SignalResponse = z
  .object({
    outcome: z
      .enum(['new', 'known'])
      .openapi({ description: 'known: it was reported before, by this key or id or through another door' }),
    signal: Signal,
  })
  .openapi('SignalResponse');

export const Attention = z
  .object({
    sessions: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        seq: z.number(),
        state: z.string(),
        message: z.string(),
        at: z.string(),
        urgency: z.enum(['low', 'normal', 'high']),
      }),
    ),
  })
  .openapi('Attention', { description: 'the most urgent first, then the oldest' });
