// The short endpoints' bodies: few fields with plain values, for scripts that send, look at a queue and set a reminder.
import { z } from '@hono/zod-openapi';
import { Mode, SendRequest } from './message-schemas.js';

const sent = SendRequest.shape;
const MAX_DELAY_SECONDS = 366 * 24 * 3600;

export const EstimatedDelivery = z
  .enum([
    'immediate',
    'behind_others',
    'waiting_for_idle',
    'waiting_for_user_input',
    'waiting_for_dialog',
    'waiting_for_session',
    'waiting_for_screen',
    'waiting_for_retry',
    'in_agent_queue',
    'paused',
  ])
  .openapi('EstimatedDelivery', {
    description:
      "what stands between it and its delivery. immediate: nothing; behind_others: mail that goes first; waiting_for_idle: the agent's work; waiting_for_user_input: a person who types, or what they typed; waiting_for_dialog: a question that a person has to answer; waiting_for_session: its program or its pane is starting, gone or covered by another; waiting_for_screen: the pane does not show what it must; waiting_for_retry: an attempt failed, and the next one comes later; in_agent_queue: the agent has it and has not shown it yet; paused: delivery is paused",
  });

export const ShortSendRequest = z
  .object({
    text: sent.text,
    sender_session_id: z.string().min(1).nullish().openapi({
      description: 'id or name of the session that sends it; without one it is a person’s',
    }),
    // A null is not told from a field that is not there.
    delivery_mode: Mode.nullable().default('sequential'),
    timeout_seconds: sent.timeout_seconds.nullable(),
    notify_on_delivery: sent.notify_on_delivery.nullable(),
    notify_after_seconds: sent.notify_after_seconds.nullable(),
  })
  .strict()
  .openapi('ShortSendRequest');

export const ShortSendResponse = z
  .discriminatedUnion('status', [
    z.object({
      status: z.literal('queued'),
      queue_position: z
        .number()
        .nullable()
        .openapi({ description: '1 = next; null: the agent has it in a queue of its own' }),
      delivery_mode: Mode,
      estimated_delivery: EstimatedDelivery,
    }),
    z.object({
      status: z
        .literal('delivered')
        .openapi({ description: 'proved: its input box let go of it, or the agent itself shows it' }),
      delivery_mode: Mode,
      interrupted: z.boolean().openapi({ description: 'a running turn was told to stop for it' }),
    }),
    z.object({
      status: z.enum(['cancelled', 'expired', 'dead', 'uncertain']).openapi({
        description:
          'it came to an end within the wait, undelivered; uncertain: nobody can tell whether it was taken',
      }),
      delivery_mode: Mode,
    }),
  ])
  .openapi('ShortSendResponse');

export const SendQueue = z
  .object({
    session_id: z.string(),
    is_idle: z.boolean().openapi({ description: 'its agent is known to be idle' }),
    pending_count: z.number(),
    pending_messages: z
      .array(
        z.object({
          id: z.string(),
          sender: z.string(),
          queued_at: z.string(),
          timeout_at: z.string().nullable(),
        }),
      )
      .openapi({ description: 'in the order of delivery' }),
    saved_user_input: z
      .string()
      .nullable()
      .openapi({ description: 'what a person had typed, while it is kept for them and not back in the box' }),
  })
  .openapi('SendQueue');

export const ShortRemindRequest = z
  .object({
    session_id: z.string().min(1).openapi({ description: 'id or name of the session that is reminded' }),
    delay_seconds: z
      .number()
      .positive({ error: 'must be more than 0' })
      .max(MAX_DELAY_SECONDS, { error: 'must be at most 366 days' }),
    message: sent.text,
  })
  .strict()
  .openapi('ShortRemindRequest');

export const ShortRemindResponse = z
  .object({
    status: z.literal('scheduled'),
    id: z.string().openapi({ description: 'of the reminder; "sm reminders" lists them' }),
    session_id: z.string(),
    due_at: z.string(),
  })
  .openapi('ShortRemindResponse');
