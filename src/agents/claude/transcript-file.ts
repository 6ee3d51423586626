// The files of Claude Code's own record, searched for our messages.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { LineTail } from '../line-tail.js';
import { Queue } from './queue.js';
import { Reading, type Taken } from './transcript.js';

export interface Traces {
  taken: Taken | undefined;
  // It stands in the agent's queue, and nothing shows that it was taken out.
  isQueued: boolean;
  // Its bell: taken, or answered without what belongs to it.
  bell: 'none' | 'rung' | 'missed';
}

// Searches all of it.
export async function tracesIn(file: string, id: string): Promise<Traces> {
  const traces: Traces = { taken: undefined, isQueued: false, bell: 'none' };
  if (!fs.existsSync(file)) return traces;
  const lines = readline.createInterface({ input: fs.createReadStream(file, 'utf8'), crlfDelay: Infinity });
  const reading = new Reading();
  const queue = new Queue(id);
  for await (const line of lines) {
    traces.taken = reading.next(line).find((taken) => taken.id === id);
    queue.next(line);
    if (!traces.taken) continue;
    lines.close();
    break;
  }
  traces.isQueued = queue.hasIt;
  if (reading.rung.has(id)) traces.bell = 'rung';
  else if (reading.missed.has(id)) traces.bell = 'missed';
  return traces;
}

export const findInTranscript = async (file: string, id: string): Promise<Taken | undefined> =>
  (await tracesIn(file, id)).taken;

// At once, for a hook that is forgotten as soon as it has been heard.
export function findNow(file: string, ids: readonly string[]): Taken[] {
  if (ids.length === 0) return [];
  const reading = new Reading();
  const found: Taken[] = [];
  for (const { line } of new LineTail(file).read())
    found.push(...reading.next(line).filter(({ id }) => ids.includes(id)));
  return found;
}

// This one and those beside it that were written to since: /clear and /resume go on in another file.
export function transcriptsSince(file: string, since: number): string[] {
  const folder = path.dirname(file);
  try {
    return fs
      .readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => path.join(folder, name))
      .filter((one) => (fs.statSync(one, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= since || one === file);
  } catch {
    return [];
  }
}
