// A file that only its owner may read, and that is there whole or not at all.
import { createWriteStream, existsSync, renameSync, rmSync, type WriteStream } from 'node:fs';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { CliError, EXIT, UsageError } from './errors.js';

export interface PrivateFile {
  stream: WriteStream;
  // Puts it where it belongs.
  keep(): Promise<void>;
  drop(): void;
}

export function requireFree(file: string, { replace }: { replace: boolean }): void {
  if (!replace && existsSync(file))
    throw new CliError(`${file} is there already`, EXIT.refused, '--force replaces it');
}

const WHY: Record<string, string> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'it is no folder',
  EACCES: 'you may not write there',
  EROFS: 'nothing can be written there',
};

const unwritable = (file: string, { code, message }: NodeJS.ErrnoException): UsageError => {
  const folder = path.dirname(path.resolve(file));
  return new UsageError(
    `"${file}" cannot be made in ${folder}: ${WHY[code ?? ''] ?? message}`,
    'it must be a file in a folder of yours that exists',
  );
};

export async function privateFile(file: string): Promise<PrivateFile> {
  const temporary = `${file}.${process.pid}.part`;
  const stream = createWriteStream(temporary, { mode: 0o600, flags: 'wx' });
  await new Promise<void>((resolve, reject) => {
    stream.once('open', () => resolve());
    stream.once('error', (error) => reject(unwritable(file, error)));
  });
  return {
    stream,
    keep: async () => {
      stream.end();
      await finished(stream);
      renameSync(temporary, file);
    },
    drop: () => {
      stream.destroy();
      rmSync(temporary, { force: true });
    },
  };
}
