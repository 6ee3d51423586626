// What we started OpenCode with: its environment cannot be read from the system before it truly runs.
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const Start = z.object({ port: z.number(), password: z.string().optional() });
export type Start = z.infer<typeof Start>;

const fileIn = (folder: string): string => path.join(folder, 'server.json');

export function writeStart(folder: string, start: Start): void {
  fs.writeFileSync(fileIn(folder), JSON.stringify(start), { mode: 0o600 });
}

// Undefined for a server that we did not start.
export function readStart(folder: string, port: number): Start | undefined {
  try {
    const start = Start.parse(JSON.parse(fs.readFileSync(fileIn(folder), 'utf8')));
    return start.port === port ? start : undefined;
  } catch {
    return undefined;
  }
}
