// The shapes that cross the API, defined once: they validate requests, describe the OpenAPI document and type the client.
import { z } from '@hono/zod-openapi';

const NAME_RULE =
  'letters, digits, ".", "_" or "-", starting with a letter or digit, at most 64, and not 8 hex digits';

// A name that looks like an id could mean two sessions.
export const SessionName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, { error: `must be ${NAME_RULE}` })
  .refine((name) => !/^[0-9a-f]{8}$/.test(name), { error: `must be ${NAME_RULE}` });

export const Socket = z
  .string()
  .min(1)
  .max(1000)
  .openapi({ description: 'a tmux socket: a name (`tmux -L`), or a path when it has a slash (`tmux -S`)' });

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

export const Mode = z
  .enum(['sequential', 'important', 'urgent'], { error: 'must be sequential, important or urgent' })
  .openapi({
    description:
      'sequential: after the running turn; important: at the next point inside it where the agent takes input without aborting, and ahead of sequential; urgent: interrupts the turn',
  });

export const Speaks = z.enum(['prompt', 'notice'], { error: 'must be prompt or notice' }).openapi({
  description:
    "whether the agent is to take it as its user's word; an agent that does not know the difference takes both as a prompt",
});

export const Surety = z
  .enum(['at_least_once', 'at_most_once'], { error: 'must be at_least_once or at_most_once' })
  .openapi({
    description:
      'what happens when nobody can tell whether the agent took it: it is sent again under the same id, or it is left as uncertain',
  });

export const Session = z
  .object({
    id: z.string(),
    name: z.string(),
    agent: z.string().openapi({ description: 'the profile in use; "generic" for a program without one' }),
    origin: z.enum(['started', 'adopted']),
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
    past_draft: PastDraft.nullable().openapi({ description: 'null: as the configuration says' }),
    pending: z.number().openapi({ description: 'messages that wait for it' }),
    held: z.string().nullable().openapi({ description: 'why the first of them waits' }),
    created_at: z.string(),
  })
  .openapi('Session');

export const Receipt = z.enum(['queued', 'typed', 'submitted', 'received', 'done']).openapi({
  description:
    'the strongest thing proved: typed = seen in the input box; submitted = the box let go of it; received = the agent shows its id; done = the turn ended',
});

export const MessageState = z.enum(['pending', 'attempting', 'accepted', 'settled', 'cancelled']).openapi({
  description: "accepted: in the agent's own queue; settled: nothing more is done for it",
});

export const MessageEvent = z
  .object({ seq: z.number(), at: z.string(), kind: z.string(), data: z.record(z.string(), z.unknown()) })
  .openapi('MessageEvent');

export const Message = z
  .object({
    id: z.string(),
    to: z.object({ id: z.string(), name: z.string() }),
    from: z.object({ id: z.string().nullable(), name: z.string() }),
    text: z.string(),
    command: z.boolean(),
    mode: Mode,
    as: Speaks,
    surety: Surety,
    past_draft: PastDraft.nullable().openapi({ description: 'null: as its session says' }),
    state: MessageState,
    receipt: Receipt,
    held: z.string().nullable().openapi({ description: 'why it waits, while it does' }),
    held_detail: z.string().nullable(),
    attempts: z.number(),
    queue_position: z.number().nullable().openapi({ description: '1 = next; null once it no longer waits' }),
    created_at: z.string(),
    settled_at: z.string().nullable(),
  })
  .openapi('Message');

export const MessageWithEvents = Message.extend({
  way: z.string().nullable().openapi({ description: 'the way in of its last attempt' }),
  held_ms: z
    .number()
    .nullable()
    .openapi({ description: "how long a person's keys waited for it; null if they did not have to" }),
  draft: z.string().nullable().openapi({ description: 'id of the draft that was saved for it' }),
  turn: z.string().nullable().openapi({ description: 'the turn in which the agent showed it' }),
  evidence: z.string().nullable().openapi({ description: 'what showed that it was received' }),
  answer: z.string().nullable().openapi({ description: "the agent's answer, where it gives one" }),
  events: z.array(MessageEvent),
}).openapi('MessageWithEvents');

export const MAX_TEXT_BYTES = 1024 * 1024;

// Who sends: a session (by id, or by the pane the command ran in), or a name; nothing of it means a person.
export const Sender = z
  .object({
    name: z
      .string()
      .regex(/^[^\p{Cc}()[\]]{1,64}$/u, {
        error: 'must be 1 to 64 characters without brackets or control characters',
      })
      .optional(),
    session: z.string().optional(),
    pane: z.object({ socket: z.string(), pane: z.string().regex(/^%\d+$/) }).optional(),
    threads: z.array(z.string().min(1).max(200)).max(4).optional().openapi({
      description: 'conversations of its agent that the command ran in, where the agent says so',
    }),
  })
  .openapi('Sender');

export const SendRequest = z
  .object({
    to: z.array(z.string().min(1)).min(1).max(100).openapi({ description: 'ids or names of sessions' }),
    text: z
      .string()
      .min(1, { error: 'must not be empty' })
      .refine((text) => Buffer.byteLength(text) <= MAX_TEXT_BYTES, {
        error: `must be at most ${MAX_TEXT_BYTES} bytes`,
      }),
    from: Sender.optional(),
    command: z.boolean().default(false).openapi({
      description: 'type the text as it is, without a header: a slash command, or a line for a shell',
    }),
    dry_run: z
      .boolean()
      .default(false)
      .openapi({ description: 'only say which way in would be taken, and why' }),
    mode: Mode.default('sequential'),
    as: Speaks.optional().openapi({
      description: "default: a person's mail is a prompt, an agent's a notice",
    }),
    surety: Surety.optional().openapi({
      description: "default: a person's mail at most once, an agent's at least once",
    }),
    past_draft: PastDraft.optional(),
    wait_for: z
      .enum(['submitted', 'received', 'done'])
      .optional()
      .openapi({ description: 'refuse at once if the way in cannot prove this much' }),
  })
  .strict()
  .openapi('SendRequest');

export const Plan = z
  .object({
    to: z.object({ id: z.string(), name: z.string() }),
    way: z.enum(['door', 'direct', 'editor', 'stash', 'sentinel', 'interrupt', 'wait', 'refuse']),
    reason: z.string(),
    detail: z.string(),
    proves: Receipt,
  })
  .openapi('Plan');

export const SendResponse = z
  .object({ messages: z.array(Message), plans: z.array(Plan) })
  .openapi('SendResponse');

export const StartRequest = z
  .object({
    command: z
      .array(z.string().refine((word) => !word.includes('\0'), { error: 'must not hold a NUL byte' }))
      .min(1),
    name: SessionName.optional(),
    cwd: z.string().optional(),
    agent: z.string().optional(),
    socket: Socket.optional(),
    env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string()).default({}),
    width: z.number().int().min(20).max(1000).default(120),
    height: z.number().int().min(5).max(1000).default(40),
    past_draft: PastDraft.optional(),
  })
  .strict()
  .openapi('StartRequest');

export const AdoptRequest = z
  .object({
    target: z.string().min(1).openapi({ description: 'a tmux target; a pane id (%12) is the surest' }),
    name: SessionName.optional(),
    agent: z.string().optional(),
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

export const UpdateRequest = z
  .object({
    name: SessionName.optional(),
    paused: z.boolean().optional(),
    past_draft: PastDraft.nullable().optional().openapi({ description: 'null: as the configuration says' }),
  })
  .strict()
  .refine((body) => Object.keys(body).length > 0, {
    error: 'must name at least one of: name, paused, past_draft',
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
    sessions: z.object({ live: z.number(), ended: z.number(), gone: z.number() }),
    pending: z.number(),
    memory_bytes: z.number(),
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
