// What is left of a message after its Codex has gone: the app server outlives the TUI, and the history outlives both.
import fs from 'node:fs';
import readline from 'node:readline';
import type { Found } from '../door.js';
import { idsIn } from '../mark.js';
import { Conversation } from './conversation.js';
import { socketIn } from './launch.js';
import { Rpc } from './rpc.js';

export async function findLast(facts: Readonly<Record<string, string>>, id: string): Promise<Found> {
  const { home, thread, rollout } = facts;
  if (home === undefined || thread === undefined)
    return { at: 'unknown', reason: 'its conversation is not known' };
  try {
    return await askServer(home, facts.threads?.split(' ') ?? [thread], id);
  } catch {
    if (rollout !== undefined && (await isIn(rollout, id)))
      return { at: 'received', turn: null, evidence: "the conversation's history on disk" };
    return { at: 'unknown', reason: 'the app server of Codex does not run, and its queue may hold it' };
  }
}

async function askServer(home: string, threads: readonly string[], id: string): Promise<Found> {
  const rpc = await Rpc.connect(socketIn(home), { onNotice: () => {}, onClose: () => {} });
  try {
    return await takeBackFrom(rpc, threads, id);
  } finally {
    rpc.dispose();
  }
}

// The last word is that of the conversation that has it, or may have it.
export async function takeBackFrom(rpc: Rpc, threads: Iterable<string>, id: string): Promise<Found> {
  let found: Found = { at: 'nowhere', evidence: 'there is no conversation that could have it' };
  for (const thread of threads) {
    found = await takeBack(new Conversation(rpc, thread), id);
    if (found.at !== 'nowhere') return found;
  }
  return found;
}

// In a conversation that the pane shows no more: what only waits there is taken out, and may be sent again.
async function takeBack(conversation: Conversation, id: string): Promise<Found> {
  if (await conversation.remove(id))
    return {
      at: 'nowhere',
      evidence: 'taken back out of the queue of a conversation that is not shown any more',
    };
  const { status } = await conversation.read();
  const turn = await conversation.tookIn(id);
  if (turn !== undefined) return { at: 'received', turn, evidence: 'thread/items/list: userMessage' };
  const [running] = status.type === 'active' ? await conversation.turns(1) : [];
  return running && !conversation.hasBegun(running.id)
    ? { at: 'unknown', reason: 'a turn begins at this moment, and may have taken it' }
    : { at: 'nowhere', evidence: "neither in Codex's queue nor among the conversation's items" };
}

async function isIn(file: string, id: string): Promise<boolean> {
  if (!fs.existsSync(file)) return false;
  const lines = readline.createInterface({ input: fs.createReadStream(file, 'utf8'), crlfDelay: Infinity });
  for await (const line of lines) if (idsIn(line).includes(id)) return true;
  return false;
}
