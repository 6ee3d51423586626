// Follows the file of a conversation as it grows, also one that is not there yet: nothing that is added stays unread.
import fs from 'node:fs';
import path from 'node:path';
import type { Disposable } from '../../tmux/index.js';
import { endOf, isPrompt, Reading, type Taken } from './transcript.js';

export interface TailEvents {
  // A prompt, before what it holds of ours. `turn` null: its version gives no id.
  prompt(turn: string | null): void;
  taken(taken: Taken): void;
  // A turn has ended in a way that no hook tells.
  ended(evidence: string): void;
  // A bell has come without what belongs to it.
  missed(): void;
}

export class TranscriptTail implements Disposable {
  // What was written up to then nobody has read.
  readonly unreadUntil: number;
  #watcher: fs.FSWatcher | undefined;
  #watched: string | undefined;
  #offset: number;
  #lineEnd: number;
  #rest = Buffer.alloc(0);
  readonly #reading = new Reading();

  // `from`: up to where it was read before; without it only what is added from now on is.
  constructor(
    readonly file: string,
    readonly events: TailEvents,
    now: number,
    from?: number,
  ) {
    const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    this.#offset = from !== undefined && from <= size ? from : size;
    this.#lineEnd = this.#offset;
    this.unreadUntil = from === undefined && size > 0 ? now : 0;
    this.watch();
  }

  // Up to where all lines are read.
  get offset(): number {
    return this.#lineEnd;
  }

  // The file, or as long as there is none the nearest folder above it that there is. `read` finds what came before.
  watch(): void {
    let at = this.file;
    while (!fs.existsSync(at) && at !== path.dirname(at)) at = path.dirname(at);
    if (this.#watcher && this.#watched === at) return;
    this.dispose();
    try {
      const isFile = at === this.file;
      this.#watcher = fs.watch(at, () => (isFile ? this.read() : this.#look()));
      this.#watcher.on('error', () => this.dispose());
      this.#watched = at;
    } catch {
      // Gone at this moment: the next hook watches again.
      return;
    }
    // It may have been made before it was watched for.
    if (
      at !== this.file &&
      fs.existsSync(path.join(at, path.relative(at, this.file).split(path.sep)[0] ?? ''))
    )
      this.#look();
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
    this.#watched = undefined;
  }

  #look(): void {
    this.watch();
    this.read();
  }

  #feed(bytes: Buffer): void {
    let data = Buffer.concat([this.#rest, bytes]);
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10)) {
      this.#line(data.subarray(0, end).toString('utf8'));
      // Only when all that it tells is told: one that is read once more does no harm, one that is left out does.
      this.#lineEnd += end + 1;
      data = data.subarray(end + 1);
    }
    this.#rest = Buffer.from(data);
  }

  #line(line: string): void {
    const missed = this.#reading.missed.size;
    const taken = this.#reading.next(line);
    if (isPrompt(line)) this.events.prompt(this.#reading.turn);
    for (const one of taken) this.events.taken(one);
    if (this.#reading.missed.size > missed) this.events.missed();
    const ended = endOf(line);
    if (ended !== undefined) this.events.ended(ended);
  }
}
