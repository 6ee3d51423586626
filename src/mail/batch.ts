// Which messages go in one delivery, and what happens to all of them when something happens to the first.
import type { MessageRow } from '../store/index.js';
import type { MessageEvent } from './lifecycle.js';
import { speaksAs, suretyOf } from './rules.js';

// A text that is pasted at once is not made longer than this by what goes along.
const MOST_CHARACTERS = 16_000;

// How a message wants to be delivered: only those that want the same go together.
const wish = (message: MessageRow): string =>
  JSON.stringify([
    message.mode,
    message.past_draft,
    message.when_idle,
    message.force,
    speaksAs(message),
    suretyOf(message),
  ]);

// Those that go along with the first: the next ones in the queue, up to the first that may not.
export function ridersOf(
  lead: MessageRow,
  behind: readonly MessageRow[],
  { most, fits }: { most: number; fits: (messages: readonly MessageRow[]) => boolean },
): MessageRow[] {
  const together = [lead];
  if (lead.command === 1) return [];
  for (const message of behind) {
    if (together.length >= most || message.command === 1 || message.not_before !== null) break;
    if (wish(message) !== wish(lead) || !fits([...together, message])) break;
    together.push(message);
  }
  return together.slice(1);
}

export const isShort = (texts: readonly MessageRow[]): boolean =>
  texts.reduce((sum, { text }) => sum + text.length, 0) <= MOST_CHARACTERS;

const SHARED: ReadonlySet<MessageEvent['kind']> = new Set([
  'typed',
  'accepted',
  'submitted',
  'received',
  'returned',
  'refused',
  'again',
  'uncertain',
]);

// What an event of the first means for those that go along.
export function sharedEvent({ state }: MessageRow, event: MessageEvent): MessageEvent | undefined {
  if (SHARED.has(event.kind)) return event;
  if (event.kind !== 'cancelled' && event.kind !== 'expired') return undefined;
  // It was taken back out of its agent's queue, and the others with it; or it was given up in the middle of its attempt.
  return state === 'accepted'
    ? { kind: 'returned', reason: 'the message that it went along with was taken back' }
    : { kind: 'uncertain', reason: 'the attempt was given up while its text may stand in the input box' };
}
