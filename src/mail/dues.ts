// What a sender is to hear of a message by now: a pure function of the message and of what happened to it.
import type { EventRow, MessageRow } from '../store/index.js';
import type { MessageEvent } from './lifecycle.js';

type Done = Extract<MessageEvent, { kind: 'done' }>;
type Dead = Extract<MessageEvent, { kind: 'dead' }>;

export type Due =
  | { what: 'delivery' }
  // To be told again at that time.
  | { what: 'followUp'; at: number; after: number }
  | { what: 'expired' }
  | { what: 'dead'; reason: string }
  // The turn that took it is over.
  | { what: 'done'; how: Done['how']; answer: string | undefined }
  // It is in, and its sender waits for the end of its turn.
  | { what: 'watch' };

// With these something may be due.
export const TELLING: ReadonlySet<string> = new Set<MessageEvent['kind']>([
  'submitted',
  'received',
  'done',
  'expired',
  'dead',
]);

export function duesOf(message: MessageRow, events: readonly EventRow[]): Due[] {
  const { state, receipt, quiet, notify_delivery, notify_after, notify_stop } = message;
  if (state === 'expired') return quiet ? [] : [{ what: 'expired' }];
  if (state === 'dead') {
    const dead = last<Dead>(events, 'dead');
    return quiet ? [] : [{ what: 'dead', reason: dead?.reason ?? 'it failed too often' }];
  }
  // Its agent's own queue may give it back: in there it is not delivered yet.
  const delivered = events.find(({ kind }) => kind === 'submitted' || kind === 'received');
  if (!delivered || state === 'cancelled') return [];
  const dues: Due[] = [];
  if (notify_delivery) dues.push({ what: 'delivery' });
  if (notify_after !== null)
    dues.push({ what: 'followUp', at: delivered.at + notify_after, after: notify_after });
  if (notify_stop && receipt === 'done') {
    const done = last<Done>(events, 'done');
    dues.push({ what: 'done', how: done?.how ?? 'completed', answer: done?.answer });
  } else if (notify_stop && state === 'settled') dues.push({ what: 'watch' });
  return dues;
}

const last = <T>(events: readonly EventRow[], kind: string): T | undefined => {
  const found = events.findLast((event) => event.kind === kind);
  return found && (JSON.parse(found.data) as T);
};
