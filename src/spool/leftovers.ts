// What stays behind in the spool: entries that nobody knew, kept within limits, and what hooks that were killed left half written.
import fs from 'node:fs';
import path from 'node:path';
import { END } from './entry.js';

// For whoever looks for the cause; the oldest go first. An entry may hold all that a tool printed.
const MOST_ASIDE = 500;
const MOST_ASIDE_BYTES = 16 * 1024 * 1024;
// A hook that writes is ended by its agent after seconds.
const HALF_WRITTEN_MS = 10 * 60_000;

const asideOf = (folder: string): string => path.join(folder, 'aside');

// Called before anything is taken.
export async function prepareSpool(folder: string): Promise<void> {
  await fs.promises.mkdir(asideOf(folder), { recursive: true, mode: 0o700 });
  for (const entry of await fs.promises.readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(folder, entry.name);
    const { mtimeMs = Number.POSITIVE_INFINITY } =
      (await fs.promises.stat(file).catch(() => undefined)) ?? {};
    if (Date.now() - mtimeMs > HALF_WRITTEN_MS && !(await isWhole(file)))
      await fs.promises.rm(file, { force: true });
  }
}

// False while a hook still writes it, and for one that is gone.
export async function isWhole(file: string): Promise<boolean> {
  const handle = await fs.promises.open(file).catch(() => undefined);
  if (!handle) return false;
  try {
    const { size } = await handle.stat();
    const { buffer } = await handle.read(
      Buffer.alloc(END.length),
      0,
      END.length,
      Math.max(0, size - END.length),
    );
    return buffer.toString() === END;
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
