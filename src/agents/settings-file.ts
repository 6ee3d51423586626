// A settings file of the user's: read and written as a whole, where a link leads to, and never over what changed meanwhile.
import fs from 'node:fs';
import path from 'node:path';

export class HookFileError extends Error {
  override readonly name = 'HookFileError';
}

// Null when there is none.
export function readText(file: string): string | null {
  return attempt(file, 'read', () => {
    try {
      // Bytes that are no text would not come back as they were.
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fs.readFileSync(file));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  });
}

// `before` is what the new text was made from; a new text of null takes the file away. The rights stay.
export function replaceText(file: string, before: string | null, after: string | null): void {
  attempt(file, 'written', () => {
    const target = targetOf(file);
    if (after === null) {
      requireSame(file, before);
      fs.rmSync(target);
      return;
    }
    fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    const mode = (fs.statSync(target, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777;
    const temporary = `${target}.sm-${process.pid}`;
    try {
      fs.writeFileSync(temporary, after, { mode });
      fs.chmodSync(temporary, mode);
      requireSame(file, before);
      fs.renameSync(temporary, target);
    } finally {
      fs.rmSync(temporary, { force: true });
    }
  });
}

// What fails names the file that it failed for.
export function attempt<T>(file: string, done: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof HookFileError) throw error;
    throw new HookFileError(`${file} cannot be ${done}: ${(error as Error).message}`);
  }
}

function requireSame(file: string, before: string | null): void {
  if (readText(file) !== before)
    throw new HookFileError(`${file} was changed at this moment, so it was left alone: try again`);
}

// More in a chain no system follows.
const MOST_LINKS = 40;

// Through all links, also where the last one leads to nothing yet.
function targetOf(file: string): string {
  let target = file;
  for (let links = 0; links < MOST_LINKS; links++) {
    if (!fs.lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink()) return target;
    target = path.resolve(fs.realpathSync(path.dirname(target)), fs.readlinkSync(target));
  }
  throw new Error('too many links');
}
