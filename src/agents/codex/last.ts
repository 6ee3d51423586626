// What is left of a message after its Codex has gone: the app server outlives the TUI, and the history outlives both.
import fs from 'node:fs';
import readline from 'node:readline';
import type { Found } from '../door.js';
import { idsIn } from '../mark.js';
import { socketIn } from './launch.js';
import { Rpc } from './rpc.js';
import { GONE, takeBackFrom } from './whereabouts.js';

export async function findLast(facts: Readonly<Record<string, string>>, id: string): Promise<Found> {
  const { home, thread, rollout } = facts;
  if (home === undefined || thread === undefined)
    return { at: 'unknown', reason: 'its conversation is not known' };
  const unasked: Found = {
    at: 'unknown',
    reason: 'the app server of Codex does not run, and its queue may hold it',
  };
  const found = await askServer(home, facts.threads?.split(' ') ?? [thread], id).catch(() => unasked);
  if (found !== unasked && found !== GONE) return found;
  return rollout !== undefined && (await isIn(rollout, id))
    ? { at: 'received', turn: null, evidence: "the conversation's history on disk" }
    : found;
}

async function askServer(home: string, threads: readonly string[], id: string): Promise<Found> {
  const rpc = await Rpc.connect(socketIn(home), { onNotice: () => {}, onClose: () => {} });
  try {
    return await takeBackFrom(rpc, threads, id);
  } finally {
    rpc.dispose();
  }
}

async function isIn(file: string, id: string): Promise<boolean> {
  if (!fs.existsSync(file)) return false;
  const lines = readline.createInterface({ input: fs.createReadStream(file, 'utf8'), crlfDelay: Infinity });
  for await (const line of lines) if (idsIn(line).includes(id)) return true;
  return false;
}
