// From what a TUI's record tells to the one conversation it can mean, among those that the app server has in memory.
import { ItemPage, LoadedList, madeAt, type Thread, ThreadRead } from './protocol.js';
import { Denied, type Rpc } from './rpc.js';
import type { Shown } from './shown.js';

// `none`: the server has none that fits. `several`: nobody can tell which. `later`: the record does not say enough yet.
// `asleep`: known, and not in the server's memory.
export type Resolved = { kind: 'thread'; thread: Thread } | { kind: 'none' | 'several' | 'later' | 'asleep' };

// A prompt that was just sent is among the newest items.
const RECENT = 20;

export async function resolve(rpc: Rpc, { where, prompt }: Shown): Promise<Resolved> {
  if (where.kind === 'thread') {
    const thread = await read(rpc, where.thread);
    return thread && thread.status.type !== 'notLoaded' ? { kind: 'thread', thread } : { kind: 'asleep' };
  }
  const loaded = (await rpc.call('thread/loaded/list', {}, LoadedList)).data;
  if (where.kind === 'began') {
    const { from, to } = where;
    const made = loaded.filter((id) => isBetween(madeAt(id), from, to));
    const threads = await readAll(rpc, made);
    const [thread] = threads;
    // What this TUI began is among them: when there is but one, it is the one.
    if (thread && threads.length === 1) return { kind: 'thread', thread };
    if (prompt === undefined) return { kind: threads.length === 0 ? 'none' : 'several' };
  }
  if (prompt === undefined) return { kind: 'later' };
  for (const thread of await readAll(rpc, loaded))
    if (await shows(rpc, thread.id, prompt)) return { kind: 'thread', thread };
  return { kind: 'none' };
}

const isBetween = (time: number | undefined, from: number, to: number): boolean =>
  time !== undefined && time >= from && time <= to;

async function readAll(rpc: Rpc, ids: readonly string[]): Promise<Thread[]> {
  const threads = await Promise.all(ids.map((id) => read(rpc, id)));
  return threads.filter((thread): thread is Thread => thread !== undefined && isPersons(thread));
}

// Not a generator of titles, and not a sub-agent.
const isPersons = ({ threadSource, parentThreadId, ephemeral }: Thread): boolean =>
  (threadSource ?? 'user') === 'user' && !parentThreadId && !ephemeral;

async function read(rpc: Rpc, threadId: string): Promise<Thread | undefined> {
  try {
    return (await rpc.call('thread/read', { threadId }, ThreadRead)).thread;
  } catch (error) {
    if (error instanceof Denied && rpc.isOpen) return undefined;
    throw error;
  }
}

async function shows(rpc: Rpc, threadId: string, clientId: string): Promise<boolean> {
  try {
    const order = { threadId, limit: RECENT, sortDirection: 'desc' };
    const { data } = await rpc.call('thread/items/list', order, ItemPage);
    return data.some(({ item }) => item.type === 'userMessage' && item.clientId === clientId);
  } catch (error) {
    // It has no history yet.
    if (error instanceof Denied && rpc.isOpen) return false;
    throw error;
  }
}
