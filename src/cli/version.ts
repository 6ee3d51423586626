// The version of the package that this file is part of.
import { readFile } from 'node:fs/promises';

export async function ownVersion(): Promise<string> {
  const file = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(file) as { version: string }).version;
}

export async function printVersion(): Promise<number> {
  process.stdout.write(`sm ${await ownVersion()}\n`);
  return 0;
}
