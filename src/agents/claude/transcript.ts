// Claude Code's own record of a conversation: which of our messages it has taken, and in which turn.
import fs from 'node:fs';
import readline from 'node:readline';
import { z } from 'zod';
import type { Disposable } from '../../tmux/index.js';
import { idsIn } from '../mark.js';

export interface Taken {
  id: string;
  turn: string | null;
  evidence: string;
}

// A prompt of its own, or one that it took in the middle of a turn. A tool's result is a `user` line without a source.
const Line = z.union([
  z.object({
    type: z.literal('user'),
    promptSource: z.string(),
    promptId: z.string().optional(),
    message: z.object({ content: z.unknown() }),
  }),
  z.object({
    type: z.literal('attachment'),
    attachment: z.object({ type: z.literal('queued_command'), prompt: z.unknown() }),
  }),
]);

// Ids in a line of the transcript that shows a message as taken; a queue's own line does not.
export function takenIn(line: string): Taken[] {
  if (idsIn(line).length === 0) return [];
  const parsed = parse(line);
  if (!parsed) return [];
  const isPrompt = parsed.type === 'user';
  const text = JSON.stringify(isPrompt ? parsed.message.content : parsed.attachment.prompt);
  const turn = isPrompt ? (parsed.promptId ?? null) : null;
  const evidence = isPrompt ? `transcript: user, ${parsed.promptSource}` : 'transcript: queued_command';
  return idsIn(text).map((id) => ({ id, turn, evidence }));
}

function parse(line: string): z.infer<typeof Line> | undefined {
  try {
    return Line.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

// Searches all of it.
export async function findInTranscript(file: string, id: string): Promise<Taken | undefined> {
  if (!fs.existsSync(file)) return undefined;
  const lines = readline.createInterface({ input: fs.createReadStream(file, 'utf8'), crlfDelay: Infinity });
  for await (const line of lines) {
    const found = takenIn(line).find((taken) => taken.id === id);
    if (found) {
      lines.close();
      return found;
    }
  }
  return undefined;
}

// Reads what is added from now on.
export class TranscriptTail implements Disposable {
  readonly #watcher: fs.FSWatcher | undefined;
  #offset: number;
  #rest = Buffer.alloc(0);

  constructor(
    readonly file: string,
    readonly onTaken: (taken: Taken) => void,
  ) {
    this.#offset = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    try {
      this.#watcher = fs.watch(file, () => this.read());
    } catch {
      // Not written yet: `read` is called whenever a hook says something.
    }
  }

  get isWatched(): boolean {
    return this.#watcher !== undefined;
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
  }

  #feed(bytes: Buffer): void {
    let data = Buffer.concat([this.#rest, bytes]);
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10)) {
      for (const taken of takenIn(data.subarray(0, end).toString('utf8'))) this.onTaken(taken);
      data = data.subarray(end + 1);
    }
    this.#rest = Buffer.from(data);
  }
}
