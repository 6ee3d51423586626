// The table of who waits for the end of a turn of an agent that gives no receipts.
import type { Statement } from 'better-sqlite3';
import type { Store } from './store.js';
import type { Step } from './writer.js';

// `buffered`: the turn that ran when the message was typed has to end first. `armed`: the next end is that of its own turn.
export interface StopWatch {
  message_id: string;
  recipient: string;
  phase: 'buffered' | 'armed';
}

export const putStopWatch = ({ message_id, recipient, phase }: StopWatch): Step => ({
  sql: 'INSERT OR REPLACE INTO stop_watches (message_id, recipient, phase) VALUES (?, ?, ?)',
  values: [message_id, recipient, phase],
});

// Fails the unit (Unmet) where it has gone meanwhile.
export const dropStopWatch = (messageId: string): Step => ({
  sql: 'DELETE FROM stop_watches WHERE message_id = ?',
  values: [messageId],
  expect: 1,
});

export class StopWatches {
  readonly #of: Statement;
  readonly #recipients: Statement;

  constructor({ read }: Store) {
    this.#recipients = read.prepare('SELECT DISTINCT recipient FROM stop_watches');
    this.#of = read.prepare('SELECT * FROM stop_watches WHERE recipient = ?');
  }

  of(recipient: string): StopWatch[] {
    return this.#of.all(recipient) as StopWatch[];
  }

  // The sessions whose agents somebody waits for.
  recipients(): string[] {
    return (this.#recipients.all() as { recipient: string }[]).map(({ recipient }) => recipient);
  }
}
