// The shapes of backups, of the exported history, and of what an uninstallation finds and removes.
import { z } from '@hono/zod-openapi';

export const BackupRequest = z
  .object({
    file: z.string().min(1).openapi({ description: 'the whole path of the copy' }),
    replace: z.boolean().default(false).openapi({ description: 'a file that is there is replaced' }),
  })
  .strict()
  .openapi('BackupRequest');

export const Backup = z
  .object({
    file: z.string(),
    bytes: z.number(),
    sessions: z.number(),
    messages: z.number(),
  })
  .openapi('Backup');

const Time = z.string().openapi({ description: 'ISO 8601' });

export const ExportLine = z
  .discriminatedUnion('type', [
    z.looseObject({ type: z.literal('session'), id: z.string(), name: z.string(), created_at: Time }),
    z.looseObject({ type: z.literal('message'), id: z.string(), text: z.string(), created_at: Time }),
    z.object({
      type: z.literal('event'),
      message: z.string(),
      seq: z.number(),
      at: Time,
      kind: z.string(),
      data: z.record(z.string(), z.unknown()),
    }),
    z.object({
      type: z.literal('signal'),
      session: z.string(),
      seq: z.number(),
      state: z.string(),
      message: z.string(),
      id: z.string().nullable(),
      door: z.string(),
      at: Time,
      confidence: z.number().nullable(),
    }),
    z
      .object({
        type: z.literal('end'),
        sessions: z.number(),
        messages: z.number(),
        events: z.number(),
        signals: z.number(),
      })
      .openapi({ description: 'the last line: without it the export was cut off' }),
  ])
  .openapi('ExportLine');

export const UninstallRequest = z
  .object({
    env: z
      .record(z.string(), z.string())
      .default({})
      .openapi({ description: "variables that tell where agents' settings are, as for hooks" }),
    dry_run: z.boolean().default(false).openapi({ description: 'only say what there is' }),
  })
  .strict()
  .openapi('UninstallRequest');

export const Uninstalled = z
  .object({
    pid: z.number().openapi({ description: 'of the daemon, which stops after this' }),
    hooks: z.array(z.string()).openapi({ description: "agents' settings files with hooks of ours in them" }),
    tmux: z.array(
      z.object({
        socket: z.string(),
        traces: z.array(z.string()).openapi({ description: 'variables, buffers, key tables, options' }),
        held: z.array(z.string()).openapi({
          description: 'panes at which keys are held at this moment: their traces go by themselves',
        }),
      }),
    ),
    sessions: z.array(z.string()).openapi({ description: 'names of sessions whose program runs on' }),
    waiting: z.number().openapi({ description: 'messages that wait for delivery' }),
    drafts: z.number().openapi({ description: 'drafts that are not known to be back in their box' }),
  })
  .openapi('Uninstalled');
