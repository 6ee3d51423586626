// Copilot's own record of its conversations, as its extension reads it: which of our messages was taken while nobody listened.
import fs from 'node:fs';
import readline from 'node:readline';
import { idsIn } from '../extension/mailbox.mjs';

// The turn of each of these messages that one of the files shows as taken.
export async function takenIn(files, ids) {
  const taken = new Map();
  for (const file of files)
    for await (const line of linesOf(file)) {
      if (!line.includes('"user.message"')) continue;
      const { content, interactionId } = promptIn(line);
      for (const id of idsIn(content)) if (ids.includes(id)) taken.set(id, interactionId ?? null);
    }
  return taken;
}

function linesOf(file) {
  if (!fs.existsSync(file)) return [];
  return readline.createInterface({ input: fs.createReadStream(file, 'utf8'), crlfDelay: Infinity });
}

// What a helper of its own was given is no prompt of its own.
function promptIn(line) {
  try {
    const { type, data, agentId } = JSON.parse(line);
    const isPrompt = type === 'user.message' && agentId === undefined && typeof data?.content === 'string';
    return isPrompt ? data : { content: '' };
  } catch {
    return { content: '' };
  }
}
