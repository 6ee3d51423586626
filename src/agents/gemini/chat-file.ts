// Gemini's own record of a conversation: which of our messages it has taken.
import fs from 'node:fs';
import readline from 'node:readline';
import { z } from 'zod';
import type { Found } from '../door.js';
import { idsIn } from '../mark.js';

const Prompt = z.object({ id: z.string(), type: z.literal('user'), content: z.unknown() });
// The history as it is from then on: what was cancelled is no longer in it.
const History = z.object({ $set: z.object({ messages: z.array(z.unknown()) }) });

const shows = (message: unknown, id: string): boolean => {
  const prompt = Prompt.safeParse(message).data;
  return prompt !== undefined && idsIn(JSON.stringify(prompt.content)).includes(id);
};

// Whether the history shows it after this line; undefined when the line says nothing of it.
export function takenIn(line: string, id: string): boolean | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    const history = History.safeParse(parsed).data;
    if (history) return history.$set.messages.some((message) => shows(message, id));
    return shows(parsed, id) || undefined;
  } catch {
    return undefined;
  }
}

export async function findInChat(file: string, id: string): Promise<Found> {
  if (!fs.existsSync(file)) return { at: 'unknown', reason: 'its chat file is gone' };
  let isTaken = false;
  const lines = readline.createInterface({ input: fs.createReadStream(file, 'utf8'), crlfDelay: Infinity });
  for await (const line of lines) {
    // Nothing else can change what is known.
    if (line.includes(id) || (isTaken && line.startsWith('{"$set"'))) isTaken = takenIn(line, id) ?? isTaken;
  }
  return isTaken
    ? { at: 'received', turn: null, evidence: 'chat file: user' }
    : { at: 'nowhere', evidence: 'its chat file does not show it' };
}
