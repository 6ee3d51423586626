// The parts of Codex's app-server protocol that we use, as they are parsed. What does not fit is ignored.
import { z } from 'zod';
import { idsIn } from '../mark.js';
import type { Status } from '../status.js';

const ThreadStatus = z.object({ type: z.string(), activeFlags: z.array(z.string()).optional() });
export type ThreadStatus = z.infer<typeof ThreadStatus>;

const Thread = z.object({
  id: z.string(),
  // Shared by a conversation and the sub-agents that it starts.
  sessionId: z.string(),
  parentThreadId: z.string().nullable().optional(),
  ephemeral: z.boolean().optional(),
  // `user`: a person's own; generators of titles and the like have another.
  threadSource: z.string().nullable().optional(),
  status: ThreadStatus,
  path: z.string().nullable().optional(),
});
export type Thread = z.infer<typeof Thread>;

const Item = z.object({
  type: z.string(),
  id: z.string(),
  clientId: z.string().nullable().optional(),
  text: z.string().optional(),
  // A user's message: its parts.
  content: z
    .array(z.object({ text: z.string().optional() }))
    .optional()
    .catch(undefined),
});
export type Item = z.infer<typeof Item>;

// The messages of ours that an item shows as taken: handed over by id, or typed into the box.
export function idsTaken({ type, clientId, content = [] }: Item): string[] {
  if (type !== 'userMessage') return [];
  const typed = content.flatMap(({ text }) => idsIn(text ?? ''));
  return [...new Set([...(clientId ? [clientId] : []), ...typed])];
}

// What the agent said last in a turn.
export const answerIn = (items: readonly Item[]): string | undefined =>
  items.findLast(({ type }) => type === 'agentMessage')?.text;

const Turn = z.object({ id: z.string(), status: z.string(), items: z.array(Item).catch([]) });
export type Turn = z.infer<typeof Turn>;

export const LoadedList = z.object({ data: z.array(z.string()) });
export const ThreadRead = z.object({ thread: Thread });
export const ItemPage = z.object({
  data: z.array(z.object({ turnId: z.string(), item: Item })),
  nextCursor: z.string().nullable(),
});
export const TurnPage = z.object({ data: z.array(Turn) });
export const QueuePage = z.object({
  data: z.array(z.object({ id: z.string(), clientUserMessageId: z.string() })),
  nextCursor: z.string().nullable(),
});
export type Queued = z.infer<typeof QueuePage>['data'][number];
export const QueueAdded = z.object({ queuedSubmission: z.object({ id: z.string() }) });
export const QueueDeleted = z.object({ deleted: z.boolean() });

const OfThread = z.object({ threadId: z.string() });
const Notices = {
  'thread/started': z.object({ thread: Thread }),
  'thread/status/changed': OfThread.extend({ status: ThreadStatus }),
  'thread/closed': OfThread,
  'thread/queue/changed': OfThread,
  'turn/started': OfThread.extend({ turn: Turn }),
  'turn/completed': OfThread.extend({ turn: Turn }),
  'item/completed': OfThread.extend({ turnId: z.string(), item: Item }),
} as const;

type NoticeOf<M extends keyof typeof Notices> = { method: M; params: z.infer<(typeof Notices)[M]> };
export type Notice = { [M in keyof typeof Notices]: NoticeOf<M> }[keyof typeof Notices];

export function parseNotice(method: string, params: unknown): Notice | undefined {
  if (!(method in Notices)) return undefined;
  const known = method as keyof typeof Notices;
  const parsed = Notices[known].safeParse(params);
  return parsed.success ? ({ method: known, params: parsed.data } as Notice) : undefined;
}

const FLAGS: Readonly<Record<string, string>> = {
  waitingOnApproval: 'approval',
  waitingOnUserInput: 'question',
};

export const unknownStatus = (since: number): Status => ({
  state: 'unknown',
  since,
  source: 'door',
  detail: null,
});

// Of a thread that is not in memory nobody can say anything.
export function statusOf({ type, activeFlags = [] }: ThreadStatus, since: number): Status {
  if (type === 'notLoaded') return unknownStatus(since);
  const waits = activeFlags.map((flag) => FLAGS[flag]).find((flag) => flag !== undefined);
  const state = type !== 'active' ? 'idle' : waits === undefined ? 'busy' : 'waiting';
  return { state, since, source: 'door', detail: waits ?? null };
}

// Its ids are UUIDs of version 7: their first 48 bits are the time at which they were made.
export function madeAt(id: string): number | undefined {
  const [, high, low, version] = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f])/i.exec(id) ?? [];
  return version === '7' ? Number.parseInt(`${high}${low}`, 16) : undefined;
}
