// A file of lines that another process writes: what stands in it, and then each line as it is added.
import fs from 'node:fs';
import type { Disposable } from '../../tmux/index.js';

const CHUNK = 256 * 1024;

export class Tail implements Disposable {
  readonly #watcher: fs.FSWatcher;
  #offset = 0;
  #rest = Buffer.alloc(0);
  #isCaughtUp = false;
  #disposed = false;

  // Throws when there is no such file.
  constructor(
    readonly file: string,
    readonly tell: (line: string) => void,
  ) {
    this.#watcher = fs.watch(file, () => this.read());
    this.#watcher.on('error', () => {});
  }

  // All that stands in it already, in pieces: it may be large, and others get their turn in between.
  async catchUp(): Promise<void> {
    const file = await fs.promises.open(this.file, 'r').catch(() => undefined);
    try {
      const chunk = Buffer.alloc(CHUNK);
      while (file && !this.#disposed) {
        const { bytesRead } = await file.read(chunk, 0, CHUNK, this.#offset);
        if (bytesRead === 0) break;
        this.#offset += bytesRead;
        this.#feed(chunk.subarray(0, bytesRead));
      }
    } finally {
      await file?.close();
      this.#isCaughtUp = true;
    }
    if (!this.#disposed) this.read();
  }

  // What was added since.
  read(): void {
    if (!this.#isCaughtUp) return;
    let fd: number;
    try {
      fd = fs.openSync(this.file, 'r');
    } catch {
      return;
    }
    try {
      const chunk = Buffer.alloc(CHUNK);
      for (;;) {
        const n = fs.readSync(fd, chunk, 0, CHUNK, this.#offset);
        if (n === 0) return;
        this.#offset += n;
        this.#feed(chunk.subarray(0, n));
      }
    } finally {
      fs.closeSync(fd);
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#watcher.close();
  }

  #feed(bytes: Buffer): void {
    const data = Buffer.concat([this.#rest, bytes]);
    let start = 0;
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, start)) {
      this.tell(data.toString('utf8', start, end));
      start = end + 1;
    }
    this.#rest = Buffer.from(data.subarray(start));
  }
}
