// A dead letter is delivered after all.
import { liftDeadline, type MessageRow } from '../store/index.js';
import { MailError } from './errors.js';
import type { Ledger } from './ledger.js';

// Its old deadline goes: by that it might expire at once, though somebody wants it delivered now.
export async function redeliverMessage(ledger: Ledger, message: MessageRow, by: string): Promise<MessageRow> {
  const { id, state } = message;
  if (state !== 'dead')
    throw new MailError('conflict', `message #${id} is no dead letter: it is ${state}`, {
      field: 'message',
      value: id,
      expected: 'a dead letter; "sm dead" lists them',
    });
  // Those who hear of it look at the row, not at the disk.
  return ledger.record({ ...message, expires_at: null }, { kind: 'redelivered', by }, [liftDeadline(id)]);
}
