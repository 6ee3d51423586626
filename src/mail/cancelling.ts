// Taking a message back: what waits, what its agent's own queue gives back, and what is stuck.
import type { Door } from '../agents/index.js';
import type { MessageRow } from '../store/index.js';
import { MailError } from './errors.js';
import type { Ledger } from './ledger.js';
import { isUncertain } from './lifecycle.js';
import { wayOf } from './whereabouts.js';

// Whatever has been typed cannot be taken back; what is stuck there may be given up.
export async function cancelMessage(
  ledger: Ledger,
  message: MessageRow,
  door: Door | undefined,
): Promise<MessageRow> {
  const { id, state } = message;
  if (message.lead !== null && (state === 'accepted' || state === 'attempting'))
    throw tooLate(id, `is on its way together with #${message.lead}`);
  if (state === 'accepted') {
    if (!(await door?.withdraw(id))) throw tooLate(id, "is in its agent's own queue already");
    const reason = "taken back out of its agent's own queue";
    return ledger.record(ledger.messages.get(id) ?? message, { kind: 'cancelled', reason });
  }
  const stuck = state === 'attempting' && message.held !== null;
  if (state === 'attempting' && !stuck) throw tooLate(id, 'is being delivered at this moment');
  if (state !== 'pending' && !stuck) throw tooLate(id, `is ${endOf(message)} already`);
  // What its door may still take is taken back, if it can be.
  const isDoor = stuck && wayOf(ledger, message) === 'door';
  const withdrawn = isDoor && (await door?.withdraw(id)) === true;
  const reason = stuck
    ? 'given up while its text may stand in the input box'
    : 'cancelled before it was typed';
  return ledger.record(message, { kind: 'cancelled', reason, ...(withdrawn && { withdrawn }) });
}

function endOf(message: MessageRow): string {
  if (isUncertain(message)) return 'uncertain';
  return message.state === 'settled' ? message.receipt : message.state;
}

const tooLate = (id: string, how: string): MailError =>
  new MailError('too_late', `message #${id} ${how}`, {
    field: 'message',
    value: id,
    expected: 'a message that still waits',
  });
