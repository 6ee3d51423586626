// What stays behind in the spool: entries that nobody knew, kept within limits, and what hooks that were killed left half written.
import fs from 'node:fs';
import path from 'node:path';
import { END, parseEntry } from './entry.js';

// For whoever looks for the cause; the oldest go first. An entry may hold all that a tool printed.
const MOST_ASIDE = 500;
const MOST_ASIDE_BYTES = 16 * 1024 * 1024;
// A hook that writes is ended by its agent after seconds.
const HALF_WRITTEN_MS = 10 * 60_000;

const asideOf = (folder: string): string => path.join(folder, 'aside');

// Called before anything is taken.
export async function prepareSpool(folder: string): Promise<void> {
  await fs.promises.mkdir(asideOf(folder), { recursive: true, mode: 0o700 });
}

type Written = 'whole' | 'not_yet' | 'half';

// Rejects for one that is gone or cannot be read.
export async function howWritten(file: string): Promise<Written> {
  const handle = await fs.promises.open(file);
  try {
    const { size, mtimeMs } = await handle.stat();
    const from = Math.max(0, size - END.length);
    const { buffer } = await handle.read(Buffer.alloc(END.length), 0, END.length, from);
    if (buffer.toString() === END) return 'whole';
    if (Date.now() - mtimeMs <= HALF_WRITTEN_MS) return 'not_yet';
    // Only the end may be missing. Without a body nobody knows whether there was to be one.
    const entry = parseEntry(await handle.readFile('utf8'), mtimeMs);
    return entry && Object.keys(entry.body).length > 0 ? 'whole' : 'half';
  } finally {
    await handle.close();
  }
}

export async function putAside(folder: string, name: string): Promise<void> {
  const aside = asideOf(folder);
  await fs.promises.rename(path.join(folder, name), path.join(aside, `${Date.now()}-${name}`));
  const kept = (await fs.promises.readdir(aside)).sort().reverse();
  let bytes = 0;
  for (const [i, each] of kept.entries()) {
    const file = path.join(aside, each);
    bytes += (await fs.promises.stat(file).catch(() => undefined))?.size ?? 0;
    if (i >= MOST_ASIDE || bytes > MOST_ASIDE_BYTES) await fs.promises.rm(file, { force: true });
  }
}
