// The whole lines of a file that grows, from a place on; and whether it is still the file that was read up to there.
import fs from 'node:fs';

export interface Line {
  text: string;
  // There was more of it than is given.
  isCut: boolean;
  // Where the next one begins, in bytes.
  end: number;
}

export interface Place {
  file: string;
  // Where a line begins.
  position: number;
  // So far that line goes at least, where it is too long a one: what was looked through is not read again.
  searched?: number | undefined;
}

const CHUNK = 64 * 1024;
const NEWLINE = 10;
const NOTHING = Buffer.alloc(0);
// What is longer is no line of ours: of it only so much is given, so that somebody is told.
export const MOST_BYTES = 64 * 1024;

export class GrowingFile {
  // As far as it was read: up to the end of a line.
  #place: Place;

  private constructor(
    readonly handle: fs.promises.FileHandle,
    place: Place,
    readonly changedAt: number,
    readonly mostBytes: number,
  ) {
    this.#place = place;
  }

  // Neither a link nor a pipe is followed: it might lead anywhere, or never answer.
  static async open(
    path: string,
    known: Place | undefined,
    mostBytes = MOST_BYTES,
  ): Promise<GrowingFile | 'none' | 'no file'> {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
    const handle = await fs.promises.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error) => {
      if (error.code === 'ENOENT') return 'none' as const;
      if (['ELOOP', 'ENXIO'].includes(error.code)) return 'no file' as const;
      throw error;
    });
    if (typeof handle === 'string') return handle;
    try {
      const stat = await handle.stat();
      if (stat.isFile()) {
        const file = `${stat.dev}:${stat.ino}:${stat.birthtimeMs}`;
        const isSame = known?.file === file && (await endsLine(handle, known, stat.size));
        const place = isSame ? known : { file, position: 0 };
        return new GrowingFile(handle, place, stat.mtimeMs, mostBytes);
      }
    } catch (error) {
      await handle.close();
      throw error;
    }
    await handle.close();
    return 'no file';
  }

  get place(): Place {
    return this.#place;
  }

  // A line counts once its newline is there: a place inside of one would be no place to go on from.
  async *lines(): AsyncGenerator<Line> {
    const { file } = this.#place;
    let { position, searched = position } = this.#place;
    let begun = searched > position ? await this.#bytes(position, this.mostBytes) : NOTHING;
    for (;;) {
      const data = await this.#bytes(searched, CHUNK);
      if (data.length === 0) break;
      let from = 0;
      for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, from)) {
        const line = Buffer.concat([begun, data.subarray(from, end)]);
        const isCut = searched + end - position > this.mostBytes;
        begun = NOTHING;
        from = end + 1;
        position = searched + from;
        this.#place = { file, position };
        yield { text: line.toString('utf8', 0, Math.min(line.length, this.mostBytes)), isCut, end: position };
      }
      searched += data.length;
      if (begun.length < this.mostBytes) begun = Buffer.concat([begun, data.subarray(from)]);
    }
    this.#place = { file, position, ...(searched - position > this.mostBytes && { searched }) };
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  async #bytes(position: number, most: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.handle.read(Buffer.alloc(most), 0, most, position);
    return buffer.subarray(0, bytesRead);
  }
}

// A file that was emptied and written anew has other bytes there, or none.
async function endsLine(
  handle: fs.promises.FileHandle,
  { position, searched = position }: Place,
  size: number,
): Promise<boolean> {
  if (searched > size) return false;
  if (position === 0) return true;
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, position - 1);
  return bytesRead === 1 && buffer[0] === NEWLINE;
}
