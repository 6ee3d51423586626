// Sessions, the daemon and errors as they cross the API. Each shape is defined once: it validates requests, describes the
// OpenAPI document and types the client.
import { z } from '@hono/zod-openapi';
import { Groups, SessionName } from './name-schemas.js';

export { GroupName, Groups, SessionName } from './name-schemas.js';

export const Socket = z
  .string()
  .min(1)
  .max(1000)
  .openapi({ description: 'a tmux socket: a name (`tmux -L`), or a path when it has a slash (`tmux -S`)' });

export const HostRef = z
  .string()
  .min(1)
  .max(64)
  .openapi({ description: 'the name of a host; without it, this machine' });

export const SessionState = z.enum(['starting', 'live', 'ended', 'gone']).openapi({
  description:
    'live: its program runs; ended: the program has ended; gone: the pane or the tmux server has disappeared',
});

export const PastDraft = z
  .enum(['auto', 'now', 'stale', 'never'], { error: 'must be auto, now, stale or never' })
  .openapi({
    description:
      'whether mail may go past a draft in the input box: now = at once, also while somebody types; stale = once nobody has touched it for input_stale_timeout; never = it waits; auto = as soon as they pause where the agent hands its draft over exactly, otherwise stale',
  });

export const AgentStatus = z
  .object({
    state: z.enum(['idle', 'busy', 'waiting', 'gone', 'unknown']).openapi({
      description:
        'what its agent does; waiting: for a person, at a dialog or a question; gone: its process or its pane is',
    }),
    since: z
      .string()
      .nullable()
      .openapi({ description: 'null, as source and sure are, while it is unknown' }),
    source: z.enum(['process', 'door', 'registry', 'hook', 'screen']).nullable().openapi({
      description:
        'how that is known, from the surest on: its process, its door, a file that it keeps, its hooks, what its screen shows',
    }),
    sure: z.enum(['certain', 'likely', 'guess']).nullable().openapi({
      description:
        'certain: by its process, door or file; likely: by its hooks, which do not tell every end; guess: by its screen, on which nothing is acted',
    }),
    detail: z.string().nullable(),
  })
  .openapi('AgentStatus');

export const DoorInfo = z
  .object({
    name: z.string(),
    state: z.enum(['opening', 'open', 'shut']),
    reason: z.string().nullable().openapi({ description: 'why it is shut' }),
  })
  .openapi('DoorInfo');

export const Session = z
  .object({
    id: z.string(),
    name: z.string(),
    agent: z.string().openapi({ description: 'the profile in use; "generic" for a program without one' }),
    origin: z.enum(['started', 'adopted']),
    host: z.string().nullable().openapi({ description: 'the machine that it is on; null: this one' }),
    host_down: z.string().nullable().openapi({
      description: 'why that machine cannot be reached; null where it can. Its mail waits meanwhile',
    }),
    socket: z.string().openapi({ description: 'path of the tmux socket' }),
    pane: z.string().openapi({ example: '%12' }),
    tmux_session: z.string().openapi({ example: '$3' }),
    command: z.array(z.string()),
    cwd: z.string(),
    program: z
      .object({ pid: z.number(), name: z.string(), started: z.string() })
      .nullable()
      .openapi({ description: 'the process that was started or adopted' }),
    epoch: z.number().openapi({ description: 'changes whenever the process in the pane is replaced' }),
    state: SessionState,
    state_reason: z.string().nullable(),
    status: AgentStatus,
    door: DoorInfo.nullable().openapi({ description: "its agent's own way in; null where it has none" }),
    paused: z.boolean(),
    parent: z
      .object({ id: z.string(), name: z.string().nullable() })
      .nullable()
      .openapi({ description: 'the session whose agent started it; its name is null once that has gone' }),
    groups: z.array(z.string()),
    busy_since: z
      .string()
      .nullable()
      .openapi({ description: 'since when its agent is busy by its own word' }),
    busy_reason: z.string().nullable(),
    signal_seq: z
      .number()
      .openapi({ description: 'the number of its last signal, which only grows; 0 before the first' }),
    signal_state: z.string().nullable().openapi({ description: 'the last signal' }),
    signal_message: z.string().nullable(),
    signal_door: z
      .string()
      .nullable()
      .openapi({ description: 'how it came; `inferred`: its agent did not say it' }),
    signal_at: z.string().nullable().openapi({ description: 'when it was said' }),
    went_on_at: z.string().nullable().openapi({
      description:
        'when its agent last began to work, or had its dialog answered or dismissed; a signal from before that asks for nothing any more',
    }),
    last_signal_at: z
      .string()
      .nullable()
      .openapi({ description: 'when its agent last reported one by itself' }),
    nudge_seq: z.number().openapi({ description: 'the same as signal_seq' }),
    nudge_state: z.string().nullable().openapi({ description: 'the same as signal_state' }),
    past_draft: PastDraft.nullable().openapi({ description: 'null: as the configuration says' }),
    pending: z.number().openapi({ description: 'messages that wait for it' }),
    held: z.string().nullable().openapi({ description: 'why the first of them waits' }),
    created_at: z.string(),
  })
  .openapi('Session');

// Without who asks for it, which is not known here.
export const StartRequest = z
  .object({
    command: z
      .array(z.string().refine((word) => !word.includes('\0'), { error: 'must not hold a NUL byte' }))
      .min(1),
    name: SessionName.optional(),
    cwd: z.string().optional().openapi({ description: 'otherwise the home folder of its machine' }),
    agent: z.string().optional(),
    host: HostRef.optional(),
    socket: Socket.optional(),
    env: z
      .record(
        z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
          error: 'must have a name of letters, digits and "_" that does not start with a digit',
        }),
        z.string(),
      )
      .default({}),
    width: z.number().int().min(20).max(1000).default(120),
    height: z.number().int().min(5).max(1000).default(40),
    past_draft: PastDraft.optional(),
    mcp: z.boolean().default(false).openapi({
      description: 'give its agent our MCP server for this run; refused where its profile does not say how',
    }),
    signals: z.boolean().default(true).openapi({
      description: 'tell its agent how to signal, where brief_agents is on',
    }),
  })
  .strict();

export const AdoptRequest = z
  .object({
    target: z.string().min(1).openapi({ description: 'a tmux target; a pane id (%12) is the surest' }),
    name: SessionName.optional(),
    agent: z.string().optional(),
    host: HostRef.optional(),
    socket: Socket.optional(),
    empty: z
      .boolean()
      .default(false)
      .openapi({ description: 'the caller says that its input box is empty as it looks now' }),
    past_draft: PastDraft.optional(),
  })
  .strict()
  .openapi('AdoptRequest');

export const PaneInfo = z
  .object({
    pane: z.string(),
    target: z.string(),
    program: z.string(),
    agent: z.string().nullable().openapi({ description: 'the profile that recognises it' }),
    cwd: z.string(),
    title: z.string(),
    session: z.string().nullable().openapi({ description: 'id of the session that it already is' }),
  })
  .openapi('PaneInfo');

const BUSY_RULE = 'must be true, false, or one line of up to 200 characters that says with what';

export const UpdateRequest = z
  .object({
    name: SessionName.optional(),
    paused: z.boolean().optional(),
    past_draft: PastDraft.nullable().optional().openapi({ description: 'null: as the configuration says' }),
    groups: Groups.optional(),
    busy: z
      .union([z.boolean(), z.string().regex(/^[^\p{Cc}]{1,200}$/u, { error: BUSY_RULE })], {
        error: BUSY_RULE,
      })
      .optional()
      .openapi({ description: 'its agent is busy by its own word, or ready again: sequential mail waits' }),
  })
  .strict()
  .refine((body) => Object.keys(body).length > 0, {
    error: 'must name at least one of: name, paused, past_draft, groups, busy',
  })
  .openapi('UpdateRequest');

export const Status = z
  .object({
    pid: z.number(),
    version: z.string(),
    home: z.string(),
    url: z.string(),
    socket: z.string(),
    started_at: z.string(),
    node: z.string(),
    tmux: z.string(),
    paused: z.boolean(),
    stopping: z.boolean().openapi({ description: 'it was asked to stop, and ends what it has under way' }),
    sessions: z.object({ live: z.number(), ended: z.number(), gone: z.number() }),
    pending: z.number(),
    unread: z.number().openapi({ description: 'mail in the inbox that nobody has read' }),
    memory_bytes: z.number(),
    config_problem: z
      .string()
      .nullable()
      .openapi({ description: 'why the configuration file is refused as it is; the last good one holds' }),
    agents_problem: z.string().nullable().openapi({
      description:
        'why a file in agents/ is refused, as it was at the start or when `doctor` or `config` last looked; the last good ones hold',
    }),
  })
  .openapi('Status');

export const ApiError = z
  .object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      field: z.string().optional(),
      value: z.unknown().optional(),
      expected: z.string().optional(),
    }),
  })
  .openapi('Error');
