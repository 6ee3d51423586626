// A file of lines that another process writes: what stands in it, and then each line as it is added.
import fs from 'node:fs';
import { setImmediate as others } from 'node:timers/promises';
import type { Disposable } from '../../tmux/index.js';
import { LineTail } from '../line-tail.js';

// So much is read before others get their turn.
const PIECE = 256 * 1024;

export class Tail implements Disposable {
  readonly #watcher: fs.FSWatcher;
  readonly #lines: LineTail;
  #isCaughtUp = false;
  #disposed = false;

  // Throws when there is no such file.
  constructor(
    file: string,
    readonly tell: (line: string) => void,
  ) {
    this.#lines = new LineTail(file);
    this.#watcher = fs.watch(file, () => this.read());
    this.#watcher.on('error', () => {});
  }

  // All that stands in it already, in pieces: it may be large.
  async catchUp(): Promise<void> {
    try {
      let size = 0;
      for (const { line } of this.#lines.read()) {
        if (this.#disposed) return;
        this.tell(line);
        size += line.length;
        if (size < PIECE) continue;
        size = 0;
        await others();
      }
    } finally {
      this.#isCaughtUp = true;
    }
    this.read();
  }

  // What was added since.
  read(): void {
    if (!this.#isCaughtUp) return;
    for (const { line } of this.#lines.read()) this.tell(line);
  }

  dispose(): void {
    this.#disposed = true;
    this.#watcher.close();
  }
}
