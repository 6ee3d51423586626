// Lines of Claude Code's own record of a conversation: which of our messages it has taken, and in which turn.
import { z } from 'zod';
import { idsIn } from '../mark.js';

export interface Taken {
  id: string;
  turn: string | null;
  evidence: string;
}

// What only a prompt has; the first from 2.1.150 on, one of the others before. A tool's result is a `user` line without them.
const PROMPT_FIELDS = ['promptSource', 'permissionMode', 'thinkingMetadata'] as const;

// A prompt of its own, or one that it took in the middle of a turn.
const Line = z.union([
  z
    .object({
      type: z.literal('user'),
      isSidechain: z.literal(false).optional(),
      promptSource: z.string().optional(),
      permissionMode: z.unknown().optional(),
      thinkingMetadata: z.unknown().optional(),
      promptId: z.string().optional(),
      message: z.object({ content: z.unknown() }),
    })
    .refine((line) => PROMPT_FIELDS.some((field) => line[field] !== undefined)),
  z.object({
    type: z.literal('attachment'),
    attachment: z.object({ type: z.literal('queued_command'), prompt: z.unknown() }),
  }),
]);

const Enqueued = z.object({
  type: z.literal('queue-operation'),
  operation: z.literal('enqueue'),
  content: z.unknown(),
});

// Ids in a line of the transcript that shows a message as taken; a queue's own line does not.
export function takenIn(line: string): Taken[] {
  if (idsIn(line).length === 0) return [];
  const parsed = parse(line);
  if (!parsed) return [];
  const isPrompt = parsed.type === 'user';
  const text = JSON.stringify(isPrompt ? parsed.message.content : parsed.attachment.prompt);
  const turn = isPrompt ? (parsed.promptId ?? null) : null;
  const evidence = isPrompt
    ? ['transcript: user', parsed.promptSource].filter(Boolean).join(', ')
    : 'transcript: queued_command';
  return idsIn(text).map((id) => ({ id, turn, evidence }));
}

// Quotes inside of a text are escaped, so this is the line's own.
const PROMPT = /"promptId":"([^"\\]+)"/;

// Lines in their order: what was taken in the middle of a turn is of the turn that the lines before it tell.
export class Reading {
  // Of the last prompt or tool result.
  turn: string | null = null;

  next(line: string): Taken[] {
    this.turn = PROMPT.exec(line)?.[1] ?? this.turn;
    return takenIn(line).map((taken) => ({ ...taken, turn: taken.turn ?? this.turn }));
  }
}

// What stands in the transcript for a person's Escape: a text of their side that is neither a prompt nor a tool's result.
const Interruption = z.object({
  type: z.literal('user'),
  isSidechain: z.literal(false).optional(),
  isMeta: z.literal(false).optional(),
  promptSource: z.undefined().optional(),
  permissionMode: z.undefined().optional(),
  thinkingMetadata: z.undefined().optional(),
  toolUseResult: z.undefined().optional(),
  message: z.object({ content: z.tuple([z.object({ type: z.literal('text') })]) }),
});

export function isInterruption(line: string): boolean {
  if (!line.includes('"type":"user"')) return false;
  try {
    return Interruption.safeParse(JSON.parse(line)).success;
  } catch {
    return false;
  }
}

function parse(line: string): z.infer<typeof Line> | undefined {
  try {
    return Line.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

// Ids that a line of the transcript shows as put into its queue.
export function queuedIn(line: string): string[] {
  if (idsIn(line).length === 0) return [];
  try {
    const parsed = Enqueued.safeParse(JSON.parse(line)).data;
    return parsed ? idsIn(JSON.stringify(parsed.content)) : [];
  } catch {
    return [];
  }
}
