// The end of a log file, and what is added to it from then on.
import { watch } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';

const CHUNK = 64 * 1024;

// The last lines, and the offset behind them.
export async function lastLines(file: string, count: number): Promise<{ lines: string[]; end: number }> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    let start = size;
    let bytes: Buffer = Buffer.alloc(0);
    while (start > 0 && newlines(bytes) <= count) {
      const from = Math.max(0, start - CHUNK);
      bytes = Buffer.concat([await readRange(handle, from, start), bytes]);
      start = from;
    }
    // A last line without its end is still being written, and comes with what follows.
    const end = bytes.lastIndexOf(10) + 1;
    const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1).slice(-count);
    return { lines, end: start + end };
  } finally {
    await handle.close();
  }
}

function newlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}

async function readRange(handle: FileHandle, from: number, to: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.subarray(0, bytesRead);
}

// Whole lines from an offset on, as they are written, until the signal.
export async function followLines(
  file: string,
  from: number,
  each: (line: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  let offset = from;
  let inode: number | undefined;
  let rest = Buffer.alloc(0);
  const readOn = async (): Promise<void> => {
    const handle = await open(file, 'r').catch(() => undefined);
    if (!handle) return;
    try {
      const { size, ino } = await handle.stat();
      // Another file in its place, or the same one emptied: read it from the start.
      if ((inode !== undefined && ino !== inode) || size < offset) {
        offset = 0;
        rest = Buffer.alloc(0);
      }
      inode = ino;
      const bytes = Buffer.concat([rest, await readRange(handle, offset, size)]);
      offset += bytes.length - rest.length;
      const end = bytes.lastIndexOf(10) + 1;
      rest = Buffer.from(bytes.subarray(end));
      for (const line of bytes.toString('utf8', 0, end).split('\n').slice(0, -1)) each(line);
    } finally {
      await handle.close();
    }
  };
  await new Promise<void>((resolve, reject) => {
    let reading = Promise.resolve();
    const look = (): void => {
      reading = reading.then(readOn).catch(reject);
    };
    // The folder, not the file: the file may not exist yet, or be replaced.
    const watcher = watch(path.dirname(file), (_event, name) => {
      if (name === null || name === path.basename(file)) look();
    });
    signal?.addEventListener('abort', () => {
      watcher.close();
      reading.then(resolve);
    });
    watcher.on('error', reject);
    look();
  });
}
