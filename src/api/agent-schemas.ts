// Agents that are known, what of them is used, and our hooks in their settings.
import { z } from '@hono/zod-openapi';

export const Agent = z
  .object({
    name: z.string(),
    title: z.string(),
    from: z
      .enum(['built in', 'file'])
      .openapi({ description: 'file: a profile of yours in $SM_HOME/agents' }),
    programs: z.array(z.string()),
    packages: z.array(z.string()),
    protocols: z
      .array(z.object({ protocol: z.string(), since: z.string().nullable(), not: z.array(z.string()) }))
      .openapi({ description: 'ways through its input box, in the order in which they are tried' }),
    door: z
      .string()
      .nullable()
      .openapi({ description: 'its own way in, without a key; null where it has none' }),
    interrupt_keys: z.array(z.string()).nullable(),
    hooks: z.boolean().openapi({ description: '"sm hooks install" has something to put into its settings' }),
  })
  .openapi('Agent');

export const Hooks = z
  .object({
    agent: z.string(),
    file: z.string().openapi({ description: "the agent's own settings file" }),
    state: z.enum(['installed', 'outdated', 'absent']),
    changed: z.boolean().openapi({ description: 'this request changed the file' }),
  })
  .openapi('Hooks');

export const HooksRequest = z
  .object({
    env: z
      .record(z.string(), z.string())
      .default({})
      .openapi({ description: 'variables that tell where its settings are: HOME, CLAUDE_CONFIG_DIR' }),
  })
  .strict()
  .openapi('HooksRequest');
