// A message of which nobody can tell whether it was taken: neither its receipt nor its end is said of it as if that were known.
import type { Message } from '../api/types.js';

// Over, without a proof that it was taken.
export const isUncertain = ({ state, receipt }: Pick<Message, 'state' | 'receipt'>): boolean =>
  state === 'settled' && (receipt === 'queued' || receipt === 'typed');

// What is said to whoever waited for a receipt; undefined where it is known what became of it.
export const uncertainty = (message: Message, goal: string): string | undefined => {
  const { id, to } = message;
  return isUncertain(message)
    ? `${id} for ${to.name} is uncertain: it is not known whether it was ${goal}, and nothing will tell; look at the agent before you send it again (sm show ${id}; sm output ${to.name})`
    : undefined;
};
