// Lines of Claude Code's own record of a conversation: which of our messages it has taken, and in which turn.
import { z } from 'zod';
import { bellsIn, idsIn, textsIn } from '../mark.js';

export interface Taken {
  id: string;
  turn: string | null;
  evidence: string;
}

// What only a prompt has; the first from 2.1.150 on, one of the others before. A tool's result is a `user` line without them.
const PROMPT_FIELDS = ['promptSource', 'permissionMode', 'thinkingMetadata'] as const;

// A prompt of its own, one that it took in the middle of a turn, or what a hook added to one.
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
    attachment: z.discriminatedUnion('type', [
      z.object({ type: z.literal('queued_command'), prompt: z.unknown() }),
      z.object({
        type: z.literal('hook_additional_context'),
        hookEvent: z.literal('UserPromptSubmit'),
        content: z.array(z.string()),
      }),
    ]),
  }),
]);

// Of another hook that says the prompt again it begins with the bell; of one that was cut, with words of the agent's own.
const ADDED = /^\[Input from: [^\n]* via sm send\] #[0-9a-f]{12}\n/;

interface Said {
  text: string;
  turn: string | null;
  evidence: string;
}

function saidIn(line: string): Said | undefined {
  if (idsIn(line).length === 0) return undefined;
  const parsed = parse(line);
  if (!parsed) return undefined;
  if (parsed.type === 'user') {
    const evidence = ['transcript: user', parsed.promptSource].filter(Boolean).join(', ');
    return { text: JSON.stringify(parsed.message.content), turn: parsed.promptId ?? null, evidence };
  }
  const { attachment } = parsed;
  if (attachment.type === 'queued_command')
    return { text: JSON.stringify(attachment.prompt), turn: null, evidence: 'transcript: queued_command' };
  const heads = attachment.content.flatMap((text) => ADDED.exec(text) ?? []);
  return { text: heads.join(''), turn: null, evidence: 'transcript: hook_additional_context' };
}

// Messages whose text a line of the transcript shows as taken; a queue's own line does not.
export function takenIn(line: string): Taken[] {
  const said = saidIn(line);
  return said ? textsIn(said.text).map((id) => ({ id, turn: said.turn, evidence: said.evidence })) : [];
}

// Quotes inside of a text are escaped, so this is the line's own.
const PROMPT = /"promptId":"([^"\\]+)"/;

// Lines in their order: what was taken in the middle of a turn is of the turn that the lines before it tell.
export class Reading {
  // Of the last prompt or tool result.
  turn: string | null = null;
  // Bells that it has taken, and not yet what belongs to them.
  readonly rung = new Set<string>();
  // Those that it has answered, or given up, without what belongs to them: that never comes any more.
  readonly missed = new Set<string>();

  next(line: string): Taken[] {
    this.turn = PROMPT.exec(line)?.[1] ?? this.turn;
    if (this.rung.size > 0 && (isAnswer(line) || isInterruption(line))) {
      for (const id of this.rung) this.missed.add(id);
      this.rung.clear();
    }
    const said = saidIn(line);
    if (!said) return [];
    for (const id of bellsIn(said.text)) this.rung.add(id);
    const taken = textsIn(said.text);
    for (const id of taken) this.rung.delete(id);
    return taken.map((id) => ({ id, turn: said.turn ?? this.turn, evidence: said.evidence }));
  }
}

const Answer = z.object({ type: z.literal('assistant'), isSidechain: z.literal(false).optional() });

function isAnswer(line: string): boolean {
  if (!line.includes('"type":"assistant"')) return false;
  try {
    return Answer.safeParse(JSON.parse(line)).success;
  } catch {
    return false;
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

// Whether the line is a prompt of its own, with which a turn begins or goes on.
export const isPrompt = (line: string): boolean =>
  line.includes('"type":"user"') && parse(line)?.type === 'user';

// An error of the model's side, after all tries: the turn is over, and its Stop hook does not come.
const Failure = z.object({
  type: z.literal('assistant'),
  isSidechain: z.literal(false).optional(),
  isApiErrorMessage: z.literal(true),
});

function isFailure(line: string): boolean {
  if (!line.includes('"isApiErrorMessage":true')) return false;
  try {
    return Failure.safeParse(JSON.parse(line)).success;
  } catch {
    return false;
  }
}

// What a line shows to have ended the turn though no hook tells of it.
export function endOf(line: string): string | undefined {
  if (isInterruption(line)) return 'transcript: interrupted';
  return isFailure(line) ? 'transcript: API error' : undefined;
}
