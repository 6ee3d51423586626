// What is left of a message after its Codex has gone: the app server outlives the TUI, and the history outlives both.
import fs from 'node:fs';
import readline from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Found } from '../door.js';
import { idsIn } from '../mark.js';
import { socketIn } from './launch.js';
import { Rpc } from './rpc.js';
import { GONE, takeBackFrom } from './whereabouts.js';

// A message that passes from the queue into a turn, and a call that was not answered, cannot be told at once. What is said then
// is the last word, so a server that runs is asked again for that long.
const PATIENCE_MS = 10_000;
const RETRY_MS = 300;

const UNASKED: Found = {
  at: 'unknown',
  reason: 'the app server of Codex does not run, and its queue may hold it',
};

// Where nobody listens; a server that does may only be slow.
const NOBODY = new Set<string | undefined>(['ENOENT', 'ECONNREFUSED']);

export async function findLast(
  facts: Readonly<Record<string, string>>,
  id: string,
  patienceMs = PATIENCE_MS,
): Promise<Found> {
  const { home, thread, rollout } = facts;
  if (home === undefined || thread === undefined)
    return { at: 'unknown', reason: 'its conversation is not known' };
  const threads = facts.threads?.split(' ') ?? [thread];
  const until = Date.now() + patienceMs;
  let found = await askServer(home, threads, id);
  while (found.at === 'unknown' && found !== UNASKED && Date.now() < until) {
    await delay(RETRY_MS);
    found = await askServer(home, threads, id);
  }
  if (found.at !== 'unknown' && found !== GONE) return found;
  return rollout !== undefined && (await isIn(rollout, id))
    ? { at: 'received', turn: null, evidence: "the conversation's history on disk" }
    : found;
}

async function askServer(home: string, threads: readonly string[], id: string): Promise<Found> {
  let rpc: Rpc | undefined;
  try {
    rpc = await Rpc.connect(socketIn(home), { onNotice: () => {}, onClose: () => {} });
    return await takeBackFrom(rpc, threads, id);
  } catch (error) {
    if (NOBODY.has((error as NodeJS.ErrnoException).code)) return UNASKED;
    return { at: 'unknown', reason: `the app server of Codex cannot be asked: ${String(error)}` };
  } finally {
    rpc?.dispose();
  }
}

async function isIn(file: string, id: string): Promise<boolean> {
  if (!fs.existsSync(file)) return false;
  const lines = readline.createInterface({ input: fs.createReadStream(file, 'utf8'), crlfDelay: Infinity });
  for await (const line of lines) if (idsIn(line).includes(id)) return true;
  return false;
}
