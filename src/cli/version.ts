import { readFile } from 'node:fs/promises';

export async function printVersion(): Promise<number> {
  const file = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  process.stdout.write(`sm ${(JSON.parse(file) as { version: string }).version}\n`);
  return 0;
}
