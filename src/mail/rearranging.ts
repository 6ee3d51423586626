// What a person changes about messages that wait: their order, and how urgent they are.
import { changeWaiting, type MessageRow, type Mode, type PastDraft, takePlaces } from '../store/index.js';
import { MailError } from './errors.js';
import type { Ledger } from './ledger.js';

// A longer queue is rearranged in its first part alone.
const MOST_MOVED = 1000;

export interface MessageChange {
  mode?: Mode | undefined;
  past_draft?: PastDraft | null | undefined;
  // `now`: also if it was to wait for an idle agent.
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
  const order = [...rest.slice(0, at), message, ...rest.slice(at)];
  const places = queue.map(({ seq }) => seq);
  const moved = order.flatMap(({ id, seq }, n) =>
    seq === places[n] ? [] : [{ id, seq: places[n] as number }],
  );
  if (moved.length === 0) return message;
  const event = { kind: 'moved', before: before?.id ?? null } as const;
  return fresh(ledger, await ledger.record(message, event, takePlaces(moved)));
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
  const step = changeWaiting(message.id, { mode, past_draft, when_idle });
  return fresh(ledger, await ledger.record(message, { kind: 'changed', ...change }, [step]));
}

const fresh = (ledger: Ledger, message: MessageRow): MessageRow => ledger.messages.get(message.id) ?? message;

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
