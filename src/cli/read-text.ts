// A message's text from a file or, for "-", from standard input.
import { readFile } from 'node:fs/promises';
import { UsageError } from './errors.js';

export async function readText(file: string): Promise<string> {
  const source = file === '-' ? 'standard input' : file;
  const bytes = file === '-' ? await readStandardInput() : await readFile(file).catch(unreadable(file));
  const text = decode(bytes, source).replace(/\r?\n$/, '');
  if (text === '') throw new UsageError(`${source} is empty: there is nothing to send`);
  return text;
}

const unreadable = (file: string) => (error: NodeJS.ErrnoException) => {
  const why = WHY[error.code ?? ''] ?? error.message;
  throw new UsageError(`--file "${file}": ${why}`, 'it must be a file that you can read, or "-"');
};

const WHY: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'is a folder',
  EACCES: 'may not be read by you',
};

function decode(bytes: Buffer, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError(`${source} is not UTF-8 text`);
  }
}

async function readStandardInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
