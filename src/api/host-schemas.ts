// Other machines as they cross the API.
import { z } from '@hono/zod-openapi';

export const HostRequest = z
  .object({
    name: z.string().openapi({ example: 'box' }),
    destination: z
      .string()
      .max(1000)
      .openapi({ description: 'as ssh takes it: user@machine, or a name of your ssh configuration' }),
  })
  .strict()
  .openapi('HostRequest');

export const Host = z
  .object({
    name: z.string(),
    destination: z.string(),
    state: z.enum(['idle', 'connecting', 'up', 'down']).openapi({
      description: 'idle: no session and no request needs it, so there is no connection',
    }),
    reason: z
      .string()
      .nullable()
      .openapi({ description: 'why it is down; while it is idle, why it was not reached the last time' }),
    retry_at: z.string().nullable().openapi({ description: 'when it is tried again' }),
    tmux: z.string().nullable().openapi({ description: 'as `tmux -V` says it there, once it was reached' }),
    tmux_path: z.string().nullable(),
    system: z.string().nullable().openapi({ description: 'as `uname -s` says it there' }),
    clock_skew: z
      .number()
      .nullable()
      .openapi({ description: 'how many seconds its clock is ahead; less than two count as none' }),
    connections: z.number().openapi({ description: 'ssh connections that are open' }),
    sessions: z.number(),
    created_at: z.string(),
  })
  .openapi('Host');

export const HostCheck = z
  .object({
    host: Host,
    ok: z.boolean(),
    steps: z.array(
      z.object({
        step: z.enum(['reached', 'host key', 'login', 'shell', 'tmux', 'clock']),
        state: z.enum(['ok', 'failed', 'not tried']),
        detail: z.string().nullable(),
      }),
    ),
  })
  .openapi('HostCheck');
