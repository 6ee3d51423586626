// Gives one message to the wake hook, and says whether the hook has handed it over.
import type { DoorLetter, Sent } from '../door.js';
import type { Inbox } from './inbox.js';

// After it has woken the agent, a waiter is started again by the next hook.
const ARMED_MS = 2000;
// A waiter that lives takes a message within milliseconds.
const TAKEN_MS = 2000;

const HANDED_OVER: Sent = { outcome: 'accepted', evidence: 'the wake hook handed it over' };

export interface Receiver {
  // The conversation in which a waiter waits now.
  armed(): string | undefined;
  // Its transcript shows the message already.
  hasShown(id: string): boolean;
}

export async function handOver(
  inbox: Inbox,
  { armed, hasShown }: Receiver,
  { id, text }: DoorLetter,
): Promise<Sent> {
  const conversation = await inbox.until(armed, ARMED_MS);
  if (conversation === undefined) return { outcome: 'refused', reason: 'no wake hook waits in its session' };
  inbox.put(id, text);
  // A waiter that has only just been started does not listen yet: it finds the message without being rung for.
  inbox.ring(conversation, id);
  const isTold = (): boolean => inbox.where(id) === 'told' || hasShown(id);
  if (await inbox.until(() => isTold() || undefined, TAKEN_MS)) return HANDED_OVER;
  // It did not say so in time.
  if (inbox.takeBack(id)) return { outcome: 'refused', reason: 'the wake hook did not take it' };
  if (isTold()) return HANDED_OVER;
  if (inbox.waiter(conversation) === undefined && inbox.takeBack(id, 'taken'))
    return { outcome: 'refused', reason: 'the wake hook ended before it handed it over' };
  return { outcome: 'unknown', reason: 'the wake hook took it and has not ended' };
}
