// A dead letter is delivered after all.
import type { Registry } from '../sessions/index.js';
import { liftDeadline, type MessageRow } from '../store/index.js';
import { MailError } from './errors.js';
import type { Ledger } from './ledger.js';

export interface RedeliverDeps {
  ledger: Ledger;
  registry: Pick<Registry, 'get'>;
}

// Its old deadline goes: by that it might expire at once, though somebody wants it delivered now.
export async function redeliverMessage(
  { ledger, registry }: RedeliverDeps,
  message: MessageRow,
  by: string,
): Promise<MessageRow> {
  const { id, state, recipient, recipient_name } = message;
  if (state !== 'dead')
    throw new MailError('conflict', `message #${id} is no dead letter: it is ${state}`, {
      field: 'message',
      value: id,
      expected: 'a dead letter; "sm dead" lists them',
    });
  // It would wait for good: no courier comes for it any more.
  if (!registry.get(recipient))
    throw new MailError('gone', `${recipient_name}, whom #${id} was sent to, has been removed`, {
      field: 'message',
      value: id,
      expected: 'a dead letter to a session that is still there; "sm ls" lists the sessions',
    });
  // Those who hear of it look at the row, not at the disk.
  return ledger.record({ ...message, expires_at: null }, { kind: 'redelivered', by }, [liftDeadline(id)]);
}
