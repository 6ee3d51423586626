// The record that a Codex TUI keeps of its session, in a file of ours: read as it grows, and kept small.
import fs from 'node:fs';
import path from 'node:path';
import { isUnheard, MISSED, nextShown, type Shown, type Where } from './shown.js';

// It holds a line for each step of an answer that is being written: beyond this what was read is given back to the disk.
const MOST_BYTES = 1_000_000;
const CHUNK = 64 * 1024;

export class TuiRecord {
  #watcher: fs.FSWatcher | undefined;
  #offset: number;
  #shown: Shown;
  #cutAt = 0;

  constructor(
    readonly file: string,
    // Where an earlier daemon stopped reading, and what it knew then.
    from: { offset: number; shown: Shown },
    // Only what is in a folder of ours may be cut.
    readonly isOurs: boolean,
  ) {
    this.#offset = from.offset;
    this.#shown = from.shown;
  }

  get offset(): number {
    return this.#offset;
  }

  get shown(): Shown {
    return this.#shown;
  }

  // Reads what was added. Whole lines only: the rest is read again.
  read(): Shown {
    const size = fs.statSync(this.file, { throwIfNoEntry: false })?.size ?? 0;
    // What is there may be of an earlier process: the one that is looked for begins it anew.
    if (isUnheard(this.#shown)) this.#offset = 0;
    // Cut by us, it has no size until the next line is written, at the place where that belongs.
    if (size === 0 || size === this.#offset) return this.#shown;
    if (size < this.#offset) {
      this.#offset = size;
      this.#shown = MISSED;
      return this.#shown;
    }
    let fd: number;
    try {
      fd = fs.openSync(this.file, 'r');
    } catch {
      // Gone with its session, or not for us to read.
      return this.#shown;
    }
    try {
      const chunk = Buffer.alloc(CHUNK);
      let rest: Buffer = Buffer.alloc(0);
      for (let at = this.#offset; at < size; ) {
        const n = fs.readSync(fd, chunk, 0, CHUNK, at);
        if (n === 0) break;
        at += n;
        rest = this.#take(Buffer.concat([rest, chunk.subarray(0, n)]));
        this.#offset = at - rest.length;
      }
    } finally {
      fs.closeSync(fd);
    }
    return this.#shown;
  }

  // What `where` meant has been found out. False when the TUI has gone on meanwhile.
  settle(where: Where, thread: string): boolean {
    if (this.#shown.where !== where) return false;
    this.#shown = { ...this.#shown, where: { kind: 'thread', thread } };
    return true;
  }

  // Its server has gone: a conversation that it draws anew by then is the one that it shows now.
  expectBack(by: number): void {
    const { where } = this.#shown;
    if (where.kind === 'thread') this.#shown = { ...this.#shown, where: { ...where, backBy: by } };
  }

  // It has changed to another conversation, nobody can say to which.
  missed(): void {
    this.#shown = MISSED;
  }

  get isLarge(): boolean {
    return this.isOurs && this.#offset - this.#cutAt > MOST_BYTES;
  }

  // The TUI writes at its own place on, so what it has written before is a hole from now on. `offset` must be saved.
  cut(): void {
    fs.truncateSync(this.file, 0);
    this.#cutAt = this.#offset;
  }

  // Until what it shows is known, whatever it writes is looked at.
  watch(onChange: () => void): void {
    if (this.#watcher) return;
    try {
      const name = path.basename(this.file);
      this.#watcher = fs.watch(path.dirname(this.file), (_event, changed) => {
        if (changed === null || changed === name) onChange();
      });
      this.#watcher.on('error', () => this.unwatch());
    } catch {
      // Gone with its session.
    }
  }

  unwatch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #take(data: Buffer): Buffer {
    let start = 0;
    // A hole behind what was read: lines were lost when it was cut.
    if (data[0] === 0) {
      if (!isUnheard(this.#shown)) this.#shown = MISSED;
      while (data[start] === 0) start++;
    }
    for (let end = data.indexOf(10, start); end >= 0; end = data.indexOf(10, start)) {
      this.#shown = nextShown(this.#shown, data.subarray(start, end).toString('utf8'));
      start = end + 1;
    }
    return Buffer.from(data.subarray(start));
  }
}
