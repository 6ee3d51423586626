// Where a message is in a conversation: in its queue, among its items, or in neither. Asked twice, for it passes from one to the other.
import { setTimeout as delay } from 'node:timers/promises';
import type { Found } from '../door.js';
import { Conversation } from './conversation.js';
import { Denied, type Rpc } from './rpc.js';

// Between the queue and the turn's items a message is in neither: what has not shown up in either by then is in none.
const PASSING_MS = 300;

const TAKEN_BACK: Found = {
  at: 'nowhere',
  evidence: 'taken back out of the queue of a conversation that is not shown any more',
};

// One that the server does not know at all takes nothing any more.
export const GONE: Found = { at: 'nowhere', evidence: 'its conversation is gone' };

export async function whereIn(conversation: Conversation, id: string): Promise<Found> {
  const first = await look(conversation, id);
  if (first.at !== 'nowhere') return first;
  await delay(PASSING_MS);
  return look(conversation, id);
}

// In conversations that the pane shows no more: what only waits there is taken out, and may be sent again.
// The last word is that of the conversation that has it, or may have it.
export async function takeBackFrom(rpc: Rpc, threads: Iterable<string>, id: string): Promise<Found> {
  const conversations = [...threads].map((thread) => new Conversation(rpc, thread));
  const first = await takeBack(conversations, id);
  if (first.at !== 'nowhere' || first === TAKEN_BACK || conversations.length === 0) return first;
  await delay(PASSING_MS);
  return takeBack(conversations, id);
}

async function takeBack(conversations: readonly Conversation[], id: string): Promise<Found> {
  let found: Found = { at: 'nowhere', evidence: 'there is no conversation that could have it' };
  for (const conversation of conversations) {
    found = await orGone(conversation, async () =>
      (await conversation.remove(id)) ? TAKEN_BACK : await look(conversation, id),
    );
    if (found.at === 'queue') return { at: 'unknown', reason: 'it could not be taken out of its queue' };
    if (found.at !== 'nowhere' || found === TAKEN_BACK) return found;
  }
  return found;
}

async function orGone(conversation: Conversation, find: () => Promise<Found>): Promise<Found> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof Denied && (await isGone(conversation))) return GONE;
    throw error;
  }
}

async function isGone(conversation: Conversation): Promise<boolean> {
  try {
    await conversation.read();
    return false;
  } catch (error) {
    return error instanceof Denied && conversation.rpc.isOpen;
  }
}

async function look(conversation: Conversation, id: string): Promise<Found> {
  const queue = await conversation.queue();
  if (queue.some(({ clientUserMessageId }) => clientUserMessageId === id))
    return { at: 'queue', evidence: 'thread/queue/list' };
  const { status } = await conversation.read();
  const turn = await conversation.tookIn(id);
  if (turn !== undefined) return { at: 'received', turn, evidence: 'thread/items/list: userMessage' };
  if (status.type === 'active') {
    const [running] = await conversation.turns(1);
    if (!running || !conversation.hasBegun(running.id))
      return { at: 'unknown', reason: 'a turn begins at this moment, and may have taken it' };
  }
  return { at: 'nowhere', evidence: "neither in Codex's queue nor among the conversation's items" };
}
