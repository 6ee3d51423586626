// What a person changes about messages that wait: their order, and how urgent they are.
import {
  changeWaiting,
  type MessageRow,
  type Mode,
  type PastDraft,
  type Place,
  takePlaces,
} from '../store/index.js';
import { MailError } from './errors.js';
import type { Ledger } from './ledger.js';

// A longer queue is rearranged in its first part alone.
const MOST_MOVED = 1000;

export interface MessageChange {
  mode?: Mode | undefined;
  past_draft?: PastDraft | null | undefined;
  // `now`: also if it was to wait for an idle agent, or for its next try.
  when?: 'now' | 'idle' | undefined;
}

// In front of another that waits for the same session in the same mode, or behind all of those. What interrupts stays in
// front of what does not: that is a matter of mode. A person may put a sender's mail into another order than it was sent in.
export async function moveMessage(
  ledger: Ledger,
  message: MessageRow,
  before: MessageRow | undefined,
): Promise<MessageRow> {
  requirePending(message, 'message');
  if (before) {
    requirePending(before, 'before');
    if (before.id === message.id) throw wrong('before', before, 'another message than the one that is moved');
    if (before.recipient !== message.recipient)
      throw wrong('before', before, `a message to ${message.recipient_name}, as #${message.id} is`);
    if (before.mode !== message.mode)
      throw wrong('before', before, `a message in the mode ${message.mode}, as #${message.id} is`);
  }
  const queue = ledger.messages
    .pending(message.recipient, MOST_MOVED)
    .filter(({ mode }) => mode === message.mode);
  const rest = queue.filter(({ id }) => id !== message.id);
  const at = before ? rest.findIndex(({ id }) => id === before.id) : rest.length;
  if (at === -1 || rest.length === queue.length)
    throw wrong('message', message, `one of the first ${MOST_MOVED} in its queue`);
  const moved = placesFor([...rest.slice(0, at), message, ...rest.slice(at)]);
  if (moved.length === 0) return message;
  const event = { kind: 'moved', before: before?.id ?? null } as const;
  return ledger.record(message, event, takePlaces(moved));
}

export async function changeMessage(
  ledger: Ledger,
  message: MessageRow,
  change: MessageChange,
): Promise<MessageRow> {
  requirePending(message, 'message');
  const mode = change.mode ?? message.mode;
  const past_draft = change.past_draft === undefined ? message.past_draft : change.past_draft;
  const when_idle = change.when === undefined ? message.when_idle : change.when === 'idle' ? 1 : 0;
  const isNow = change.when === 'now' && (change.past_draft === 'now' || mode === 'urgent');
  const steps = [
    changeWaiting(message.id, { mode, past_draft, when_idle }),
    ...(isNow ? takePlaces(toTheFront(ledger, message, mode)) : []),
  ];
  return ledger.record(message, { kind: 'changed', ...change }, steps);
}

// What is to go now waits for nothing that waits itself, but for what has a higher mode.
function toTheFront(ledger: Ledger, message: MessageRow, mode: Mode): Place[] {
  const ahead = ledger.messages.ahead(message, mode, MOST_MOVED + 1);
  if (ahead.length > MOST_MOVED)
    throw wrong('message', message, `one of the first ${MOST_MOVED} in its queue`);
  return placesFor([message, ...ahead]);
}

// The places that they have, in the order in which they are to stand.
function placesFor(order: readonly MessageRow[]): Place[] {
  const places = order.map(({ seq }) => seq).sort((one, other) => one - other);
  return order.flatMap(({ id, seq }, n) => {
    const to = places[n] ?? seq;
    return seq === to ? [] : [{ id, from: seq, to }];
  });
}

function requirePending(message: MessageRow, field: 'message' | 'before'): void {
  if (message.state === 'pending') return;
  const how = message.state === 'attempting' ? 'is being delivered' : `is ${message.state}`;
  throw new MailError('too_late', `message #${message.id} ${how}`, {
    field,
    value: message.id,
    expected: 'a message that still waits',
  });
}

const wrong = (field: 'message' | 'before', { id }: MessageRow, expected: string): MailError =>
  new MailError('conflict', `#${id} cannot be moved there: it must be ${expected}`, {
    field,
    value: id,
    expected,
  });
