// The complete lines of a file that grows: all of them once, each with where it ends.
import fs from 'node:fs';

const CHUNK = 64 * 1024;
const NEWLINE = 10;

export class LineTail {
  #offset = 0;
  #rest = Buffer.alloc(0);

  constructor(readonly file: string) {}

  // What was added since the last call.
  *read(): Generator<{ line: string; end: number }> {
    let fd: number;
    try {
      fd = fs.openSync(this.file, 'r');
    } catch {
      // Not written yet.
      return;
    }
    try {
      const chunk = Buffer.alloc(CHUNK);
      for (;;) {
        const n = fs.readSync(fd, chunk, 0, chunk.length, this.#offset);
        if (n === 0) return;
        const start = this.#offset - this.#rest.length;
        this.#offset += n;
        const data = Buffer.concat([this.#rest, chunk.subarray(0, n)]);
        let from = 0;
        const lines: { line: string; end: number }[] = [];
        for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, from)) {
          lines.push({ line: data.toString('utf8', from, end), end: start + end + 1 });
          from = end + 1;
        }
        this.#rest = Buffer.from(data.subarray(from));
        yield* lines;
      }
    } finally {
      fs.closeSync(fd);
    }
  }
}
