// Can what is promised be kept on disk? The database's file is looked at, and written to once.
import fs from 'node:fs';
import path from 'node:path';

export type DatabaseTrial = { file: string } & (
  | { state: 'works'; detail: string }
  | { state: 'fails'; detail: string; advice: string }
);

export interface DatabaseCheck {
  file: string;
  // The file that the daemon has open.
  opened: FileIdentity | undefined;
  // Resolves once something is on disk.
  write: () => Promise<unknown>;
  freeBytes?: ((folder: string) => number) | undefined;
}

export interface FileIdentity {
  dev: number;
  ino: number;
}

// A few hundred messages with their drafts, and what SQLite writes beside them.
const ENOUGH_BYTES = 16 * 1024 * 1024;

export function identify(file: string): FileIdentity | undefined {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat && { dev: stat.dev, ino: stat.ino };
}

export async function tryDatabase(check: DatabaseCheck): Promise<DatabaseTrial> {
  const { file, opened, write, freeBytes = free } = check;
  const fails = (detail: string, advice: string): DatabaseTrial => ({ file, state: 'fails', detail, advice });
  const now = identify(file);
  if (!now || now.dev !== opened?.dev || now.ino !== opened.ino)
    return fails(
      'its file was moved or deleted while the daemon runs: what is written now will not be found again',
      `bring ${file} back, or "sm down" and "sm up" to begin anew`,
    );
  for (const place of [file, path.dirname(file)])
    if (!isWritable(place))
      return fails(`${place} may not be written`, `give yourself write permission: chmod u+w ${place}`);
  const bytes = freeBytes(path.dirname(file));
  if (bytes < ENOUGH_BYTES)
    return fails(`its disk is full: ${Math.floor(bytes / 1024)} KiB are left`, `make room where ${file} is`);
  try {
    await write();
  } catch (error) {
    return fails(
      `it cannot be written: ${(error as Error).message}`,
      `look at ${file}, its folder and its disk`,
    );
  }
  return { file, state: 'works', detail: 'can be written' };
}

function isWritable(place: string): boolean {
  try {
    fs.accessSync(place, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function free(folder: string): number {
  const { bavail, bsize } = fs.statfsSync(folder);
  return bavail * bsize;
}
