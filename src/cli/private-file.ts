// A file that only its owner may read, and that is there whole or not at all.
import { createWriteStream, existsSync, renameSync, rmSync, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { CliError, EXIT } from './errors.js';

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

export async function privateFile(file: string): Promise<PrivateFile> {
  const temporary = `${file}.${process.pid}.part`;
  const stream = createWriteStream(temporary, { mode: 0o600, flags: 'wx' });
  await new Promise<void>((resolve, reject) => {
    stream.once('open', () => resolve());
    stream.once('error', reject);
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
