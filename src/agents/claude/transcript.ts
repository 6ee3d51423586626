// Claude Code's own record of a conversation: which of our messages it has taken, and in which turn.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { z } from 'zod';
import type { Disposable } from '../../tmux/index.js';
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

export interface Traces {
  taken: Taken | undefined;
  // It was given to the agent, whatever became of it.
  isQueued: boolean;
}

// Searches all of it.
export async function tracesIn(file: string, id: string): Promise<Traces> {
  const traces: Traces = { taken: undefined, isQueued: false };
  if (!fs.existsSync(file)) return traces;
  const lines = readline.createInterface({ input: fs.createReadStream(file, 'utf8'), crlfDelay: Infinity });
  const reading = new Reading();
  for await (const line of lines) {
    traces.taken = reading.next(line).find((taken) => taken.id === id);
    traces.isQueued ||= queuedIn(line).includes(id);
    if (!traces.taken) continue;
    lines.close();
    break;
  }
  return traces;
}

export const findInTranscript = async (file: string, id: string): Promise<Taken | undefined> =>
  (await tracesIn(file, id)).taken;

// At once, for a hook that is forgotten as soon as it has been heard.
export function findNow(file: string, id: string): Taken | undefined {
  try {
    const reading = new Reading();
    const lines = fs.readFileSync(file, 'utf8').split('\n');
    return lines.flatMap((line) => reading.next(line)).find((taken) => taken.id === id);
  } catch {
    return undefined;
  }
}

// This one and those beside it that were written to since: /clear and /resume go on in another file.
export function transcriptsSince(file: string, since: number): string[] {
  const folder = path.dirname(file);
  try {
    return fs
      .readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => path.join(folder, name))
      .filter((one) => (fs.statSync(one, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= since || one === file);
  } catch {
    return [];
  }
}

// Reads what is added from now on; all of a file that is not there yet.
export class TranscriptTail implements Disposable {
  #watcher: fs.FSWatcher | undefined;
  #offset: number;
  #rest = Buffer.alloc(0);
  readonly #reading = new Reading();

  constructor(
    readonly file: string,
    readonly onTaken: (taken: Taken) => void,
    readonly onInterrupted: () => void = () => {},
  ) {
    this.#offset = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    this.watch();
  }

  // The turn of the last prompt or tool result that was added.
  get turn(): string | null {
    return this.#reading.turn;
  }

  // Again whenever a hook says something: the file may have been made only now. `read` finds what came before.
  watch(): void {
    if (this.#watcher) return;
    try {
      this.#watcher = fs.watch(this.file, () => this.read());
      this.#watcher.on('error', () => this.dispose());
    } catch {
      // Not written yet.
    }
  }

  read(): void {
    let fd: number;
    try {
      fd = fs.openSync(this.file, 'r');
    } catch {
      return;
    }
    try {
      const chunk = Buffer.alloc(64 * 1024);
      for (let n = fs.readSync(fd, chunk, 0, chunk.length, this.#offset); n > 0; ) {
        this.#offset += n;
        this.#feed(chunk.subarray(0, n));
        n = fs.readSync(fd, chunk, 0, chunk.length, this.#offset);
      }
    } finally {
      fs.closeSync(fd);
    }
  }

  dispose(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #feed(bytes: Buffer): void {
    let data = Buffer.concat([this.#rest, bytes]);
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10)) {
      const line = data.subarray(0, end).toString('utf8');
      for (const taken of this.#reading.next(line)) this.onTaken(taken);
      if (isInterruption(line)) this.onInterrupted();
      data = data.subarray(end + 1);
    }
    this.#rest = Buffer.from(data);
  }
}
