// What OpenCode's server says, as far as it concerns us; everything else is ignored.
import { z } from 'zod';

const Failure = z.object({ name: z.string() });

const Info = z.object({
  id: z.string(),
  sessionID: z.string(),
  role: z.enum(['user', 'assistant']),
  parentID: z.string().optional(),
  time: z.object({ created: z.number() }),
  error: Failure.optional(),
  // Of an answer, once it is whole: why it ended.
  finish: z.string().optional(),
  // Of a prompt: who answers it.
  agent: z.string().optional(),
  model: z.object({ providerID: z.string(), modelID: z.string(), variant: z.string().optional() }).optional(),
});
export type Info = z.infer<typeof Info>;

const Part = z.object({ type: z.string(), messageID: z.string(), text: z.string().optional() });

export const Message = z.object({ info: Info, parts: z.array(Part) });
export type Message = z.infer<typeof Message>;
// What does not fit is of a kind that we do not know: the others still tell.
export const Messages = z
  .array(z.unknown())
  .transform((all) => all.flatMap((each) => Message.safeParse(each).data ?? []));

export const Conversation = z.object({
  id: z.string(),
  parentID: z.string().nullish(),
  directory: z.string(),
  time: z.object({ created: z.number(), updated: z.number() }),
});
export type Conversation = z.infer<typeof Conversation>;
export const Conversations = z.array(Conversation);

const State = z.object({ type: z.string() });
export const States = z.record(z.string(), State);
export const Asked = z.array(z.object({ id: z.string(), permission: z.string().optional() }));

const event = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({ type: z.literal(type), properties: z.object(shape) });
const answered = { requestID: z.string() };

const Event = z.discriminatedUnion('type', [
  event('message.updated', { info: Info }),
  event('message.removed', { sessionID: z.string(), messageID: z.string() }),
  event('message.part.updated', { part: Part.extend({ sessionID: z.string() }) }),
  event('session.created', { info: Conversation }),
  event('session.status', { sessionID: z.string(), status: State }),
  event('session.idle', { sessionID: z.string() }),
  event('session.error', { sessionID: z.string().optional(), error: Failure.optional() }),
  event('tui.session.select', { sessionID: z.string() }),
  event('permission.asked', { id: z.string(), permission: z.string().optional() }),
  event('permission.replied', answered),
  event('question.asked', { id: z.string() }),
  event('question.replied', answered),
  event('question.rejected', answered),
]);
export type Event = z.infer<typeof Event>;

// The model's words one by one, and signs of life: by far the most of what comes.
const NOISE = /^\{"id":"[^"]*","type":"(?:message\.part\.delta|server\.heartbeat)"/;

export function parseEvent(data: string): Event | undefined {
  if (NOISE.test(data)) return undefined;
  try {
    return Event.safeParse(JSON.parse(data)).data;
  } catch {
    return undefined;
  }
}

export const textOf = ({ parts }: Message): string =>
  parts.flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('\n');

// OpenCode itself goes on with the same prompt after an answer that ended so.
const GOES_ON = new Set(['tool-calls', 'unknown']);
export const isWhole = ({ finish, error }: Info): boolean =>
  error !== undefined || (finish !== undefined && !GOES_ON.has(finish));

export const isAborted = (error: z.infer<typeof Failure> | undefined): boolean =>
  error?.name === 'MessageAbortedError';
