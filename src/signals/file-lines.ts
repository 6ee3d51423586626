// The whole lines of a file that grows, from a place on; and whether it is still the file that was read up to there.
import fs from 'node:fs';

export interface Line {
  text: string;
  // Where the next one begins, in bytes.
  end: number;
}

export interface Place {
  file: string;
  position: number;
}

const CHUNK = 64 * 1024;
const NEWLINE = 10;
// What is longer is no line of ours: it is given as far as it goes, so that somebody is told.
const MOST_BYTES = 64 * 1024;

export class GrowingFile {
  private constructor(
    readonly handle: fs.promises.FileHandle,
    readonly place: Place,
    readonly changedAt: number,
  ) {}

  // Undefined where there is none. Neither a link nor a pipe is followed: it might lead anywhere, or never answer.
  static async open(path: string, known: Place | undefined): Promise<GrowingFile | undefined> {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
    const handle = await fs.promises.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error) => {
      if (['ENOENT', 'ELOOP', 'ENXIO'].includes(error.code)) return undefined;
      throw error;
    });
    if (!handle) return undefined;
    try {
      const stat = await handle.stat();
      if (stat.isFile()) {
        const file = `${stat.dev}:${stat.ino}:${stat.birthtimeMs}`;
        const isSame = known?.file === file && (await endsLine(handle, known.position, stat.size));
        return new GrowingFile(handle, { file, position: isSame ? known.position : 0 }, stat.mtimeMs);
      }
    } catch (error) {
      await handle.close();
      throw error;
    }
    await handle.close();
    return undefined;
  }

  async *lines(): AsyncGenerator<Line> {
    let { position } = this.place;
    let rest = Buffer.alloc(0);
    for (;;) {
      const { buffer, bytesRead } = await this.handle.read(
        Buffer.alloc(CHUNK),
        0,
        CHUNK,
        position + rest.length,
      );
      if (bytesRead === 0) return;
      const data = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      let from = 0;
      for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, from)) {
        yield { text: data.toString('utf8', from, end), end: position + end + 1 };
        from = end + 1;
      }
      position += from;
      rest = data.subarray(from);
      if (rest.length <= MOST_BYTES) continue;
      position += rest.length;
      yield { text: rest.toString('utf8'), end: position };
      rest = Buffer.alloc(0);
    }
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

// A file that was emptied and written anew has other bytes there, or none.
async function endsLine(handle: fs.promises.FileHandle, position: number, size: number): Promise<boolean> {
  if (position > size) return false;
  if (position === 0) return true;
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, position - 1);
  return bytesRead === 1 && buffer[0] === NEWLINE;
}
