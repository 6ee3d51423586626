// What is still to be learnt of a Gemini that is gone: from what its hook has not taken, and from its chat file.
import type { DoorMaker, Found } from '../door.js';
import { findInChat } from './chat-file.js';
import { TurnEndSlot } from './slot.js';

type Facts = Parameters<NonNullable<DoorMaker['findLast']>>[0];

export async function findLast({ chat, folder }: Facts, id: string): Promise<Found> {
  const slot = folder === undefined ? undefined : new TurnEndSlot(folder);
  const kept = slot?.get();
  // The hook of a process that continues the conversation would hand it over, and so would we.
  if (kept?.at === 'waits' && kept.id === id && slot?.takeBack())
    return { at: 'nowhere', evidence: 'the hook has not got it' };
  return chat === undefined ? { at: 'unknown', reason: 'its chat file is not known' } : findInChat(chat, id);
}
