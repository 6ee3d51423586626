// Which messages go in one delivery, and what happens to all of them when something happens to the first.
import type { MessageRow } from '../store/index.js';
import type { MessageEvent } from './lifecycle.js';
import { senderOf, speaksAs, suretyOf } from './rules.js';

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

export interface Limits {
  most: number;
  now: number;
  fits: (messages: readonly MessageRow[]) => boolean;
  // Something that the same sender sent before is not there yet.
  isBehind: (message: MessageRow) => boolean;
}

// Those that go along with the first: the next ones in the queue, up to the first that may not. What has been tried before goes
// alone, so that one that its agent does not take keeps no other from arriving, and an agent that looks for a message by its
// id finds what was given to it under that id.
export function ridersOf(
  lead: MessageRow,
  queue: readonly MessageRow[],
  { most, now, fits, isBehind }: Limits,
): MessageRow[] {
  const at = queue.findIndex(({ id }) => id === lead.id);
  const passed = new Set(queue.slice(0, at).map(senderOf));
  const together = [lead];
  if (lead.command === 1 || lead.attempts > 0) return [];
  for (const message of queue.slice(at + 1)) {
    if (together.length >= most || message.command === 1 || message.attempts > 0) break;
    if (message.expires_at !== null && message.expires_at <= now) break;
    if (passed.has(senderOf(message)) || isBehind(message)) break;
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
export function sharedEvent(message: MessageRow, event: MessageEvent): MessageEvent | undefined {
  const { state } = message;
  if (SHARED.has(event.kind)) return event;
  if (event.kind !== 'cancelled' && event.kind !== 'expired') return undefined;
  // It was taken back from its agent, and the others with it; or it was given up in the middle of its attempt.
  const back = 'the message that it went along with was taken back';
  if (state === 'accepted') return { kind: 'returned', reason: back };
  if (event.kind === 'cancelled' && event.withdrawn) return { kind: 'refused', reason: back };
  const reason = 'the attempt was given up while its text may stand in the input box';
  return suretyOf(message) === 'at_least_once' ? { kind: 'again', reason } : { kind: 'uncertain', reason };
}
