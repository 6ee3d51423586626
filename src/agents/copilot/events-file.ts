// Copilot's own record of a session: which of our messages it has taken.
import fs from 'node:fs';
import readline from 'node:readline';
import { z } from 'zod';
import type { Found } from '../door.js';
import { idsIn } from '../mark.js';

const Line = z.object({
  type: z.literal('user.message'),
  data: z.object({ content: z.string(), interactionId: z.string().optional() }),
});

// The turn of a message, when this line shows it as taken.
export function takenIn(line: string, id: string): { turn: string | null } | undefined {
  if (!line.includes(id)) return undefined;
  try {
    const parsed = Line.safeParse(JSON.parse(line)).data;
    if (!parsed || !idsIn(parsed.data.content).includes(id)) return undefined;
    return { turn: parsed.data.interactionId ?? null };
  } catch {
    return undefined;
  }
}

export async function inEvents(file: string, id: string): Promise<Found> {
  const nowhere: Found = { at: 'nowhere', evidence: 'it has ended, and has not been seen to take it' };
  if (!fs.existsSync(file)) return nowhere;
  const lines = readline.createInterface({ input: fs.createReadStream(file, 'utf8'), crlfDelay: Infinity });
  for await (const line of lines) {
    const taken = takenIn(line, id);
    if (!taken) continue;
    lines.close();
    return { at: 'received', ...taken, evidence: 'events.jsonl: user.message' };
  }
  return nowhere;
}
