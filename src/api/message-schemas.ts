// Messages as they cross the API: how one is sent, and what became of it.
import { z } from '@hono/zod-openapi';
import { MAX_TEXT_BYTES } from './limits.js';
import { PastDraft } from './schemas.js';

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

export const Receipt = z.enum(['queued', 'typed', 'submitted', 'received', 'done']).openapi({
  description:
    'the strongest thing proved: typed = seen in the input box; submitted = the box let go of it; received = the agent shows its id; done = the turn ended',
});

export const MessageState = z
  .enum(['pending', 'attempting', 'accepted', 'settled', 'cancelled', 'expired', 'dead'])
  .openapi({
    description:
      "accepted: in the agent's own queue; settled: nothing more is done for it; expired: its time was over; dead: given up after too many failed attempts",
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
    failures: z
      .number()
      .openapi({ description: 'attempts that failed; at max_attempts it becomes a dead letter' }),
    expires_at: z.string().nullable().openapi({ description: 'not delivered later than this' }),
    when: z.enum(['now', 'idle']).openapi({ description: 'idle: only once its agent is known to be idle' }),
    in_reply_to: z.string().nullable(),
    thread: z.string().openapi({ description: 'the first message of its conversation' }),
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

export const MessageWait = Message.extend({
  outcome: z
    .enum(['reached', 'never', 'timeout'])
    .openapi({ description: 'never: the receipt can no longer come' }),
}).openapi('MessageWait');

export const MAX_KEY_CHARACTERS = 200;
const MAX_TIMEOUT_SECONDS = 30 * 24 * 3600;

// Who sends: a session (by id, or by the pane the command ran in), or a name; nothing of it means a person.
export const Sender = z
  .object({
    name: z
      .string()
      .regex(/^[^\p{Cc}\p{Cf}()[\]]{1,64}$/u, {
        error: 'must be 1 to 64 characters without brackets or control characters',
      })
      .refine((name) => name.trim().toLowerCase() !== 'sm', {
        error: 'must be another name: "sm" is what Suremail itself sends under',
      })
      .optional(),
    session: z.string().optional(),
    inherited: z.boolean().optional().openapi({
      description:
        'the session is what an environment holds (SM_SESSION): if it is there no more, the mail is that of an unknown agent, and not refused',
    }),
    pane: z.object({ socket: z.string(), pane: z.string().regex(/^%\d+$/) }).optional(),
    threads: z.array(z.string().min(1).max(200)).max(4).optional().openapi({
      description: 'conversations of its agent that the command ran in, where the agent says so',
    }),
  })
  .openapi('Sender');

export const SendRequest = z
  .object({
    to: z
      .array(z.string().min(1, { error: 'must be the name or the id of a session' }).max(200))
      .min(1)
      .max(100)
      .openapi({
        description:
          'ids or names of sessions; patterns (worker-*), @GROUP, @parent, @children, @all; @me for the person',
      }),
    text: z
      .string()
      .min(1, { error: 'must not be empty' })
      .regex(/\S/, { error: 'must hold more than blanks' })
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
    timeout_seconds: z
      .number()
      .positive({ error: 'must be more than 0; leave it out for none' })
      .max(MAX_TIMEOUT_SECONDS, { error: 'must be at most 30 days' })
      .optional()
      .openapi({
        description: 'it expires if it has not been delivered by then; default: `default_timeout`',
      }),
    when: z
      .enum(['now', 'idle'], { error: 'must be now or idle' })
      .default('now')
      .openapi({ description: 'idle: only once its agent is known to be idle' }),
    force: z.boolean().default(false).openapi({
      description:
        'with mode urgent: goes even where a draft in the box cannot be saved; it is overwritten then',
    }),
    notify_on_delivery: z.boolean().default(false),
    notify_after_seconds: z
      .number()
      .positive()
      .max(MAX_TIMEOUT_SECONDS)
      .optional()
      .openapi({ description: 'tell the sender again so long after the delivery' }),
    notify_on_stop: z
      .boolean()
      .default(false)
      .openapi({ description: 'tell the sender when the turn that took the message has ended' }),
    quiet: z
      .boolean()
      .default(false)
      .openapi({ description: 'do not tell the sender that it expired or became a dead letter' }),
    key: z.string().min(1).max(MAX_KEY_CHARACTERS).optional().openapi({
      description: 'sent twice with the same key it is one message; also as the header Idempotency-Key',
    }),
    in_reply_to: z.string().optional().openapi({ description: 'id of the message that it answers' }),
    wait_for: z
      .enum(['submitted', 'received', 'done'])
      .optional()
      .openapi({ description: 'refuse at once if the way in cannot prove this much' }),
  })
  .strict()
  .openapi('SendRequest');

export const InboxItem = z
  .object({
    id: z.string(),
    from: z.object({ id: z.string().nullable(), name: z.string() }),
    text: z.string(),
    mode: Mode,
    in_reply_to: z.string().nullable(),
    thread: z.string().openapi({ description: 'the first message of its conversation' }),
    created_at: z.string(),
    read_at: z.string().nullable(),
  })
  .openapi('InboxItem');

export const Plan = z
  .object({
    to: z.object({ id: z.string(), name: z.string() }),
    way: z.enum(['door', 'direct', 'editor', 'stash', 'sentinel', 'interrupt', 'inbox', 'wait', 'refuse']),
    reason: z.string(),
    detail: z.string(),
    proves: Receipt,
  })
  .openapi('Plan');

export const SendResponse = z
  .object({
    messages: z.array(Message).openapi({ description: 'one for each session' }),
    inbox: z.array(InboxItem).openapi({ description: 'what went to the person (@me)' }),
    plans: z.array(Plan),
    repeated: z.boolean().openapi({ description: 'the key was used before; these are the messages of then' }),
  })
  .openapi('SendResponse');

export const ChangeRequest = z
  .object({
    mode: Mode.optional(),
    past_draft: PastDraft.nullable().optional(),
    when: z.enum(['now', 'idle']).optional(),
  })
  .strict()
  .refine((change) => Object.keys(change).length > 0, {
    error: 'must change something: mode, past_draft or when',
  })
  .openapi('ChangeRequest');

export const MoveRequest = z
  .object({
    before: z
      .string()
      .min(1)
      .nullable()
      .openapi({ description: 'id of the message that comes next; null: none' }),
  })
  .strict()
  .openapi('MoveRequest');
