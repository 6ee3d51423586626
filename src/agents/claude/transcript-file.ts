// The files of Claude Code's own record: searched for one message, and followed as they grow.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import type { Disposable } from '../../tmux/index.js';
import { isInterruption, queuedIn, Reading, type Taken } from './transcript.js';

export interface Traces {
  taken: Taken | undefined;
  // It was given to the agent, whatever became of it.
  isQueued: boolean;
  // The person has taken it out of the queue again.
  isPulled: boolean;
  // Its bell: taken, or answered without what belongs to it.
  bell: 'none' | 'rung' | 'missed';
}

// Searches all of it.
export async function tracesIn(file: string, id: string): Promise<Traces> {
  const traces: Traces = { taken: undefined, isQueued: false, isPulled: false, bell: 'none' };
  if (!fs.existsSync(file)) return traces;
  const lines = readline.createInterface({ input: fs.createReadStream(file, 'utf8'), crlfDelay: Infinity });
  const reading = new Reading();
  for await (const line of lines) {
    traces.taken = reading.next(line).find((taken) => taken.id === id);
    traces.isQueued ||= queuedIn(line).includes(id);
    traces.isPulled ||= queuedIn(line, 'popAll').includes(id);
    if (!traces.taken) continue;
    lines.close();
    break;
  }
  if (reading.rung.has(id)) traces.bell = 'rung';
  else if (reading.missed.has(id)) traces.bell = 'missed';
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
    readonly onMissed: () => void = () => {},
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
      const missed = this.#reading.missed.size;
      for (const taken of this.#reading.next(line)) this.onTaken(taken);
      if (this.#reading.missed.size > missed) this.onMissed();
      if (isInterruption(line)) this.onInterrupted();
      data = data.subarray(end + 1);
    }
    this.#rest = Buffer.from(data);
  }
}
