// What the senders of messages were told, and of which messages they are still to be told.
import type { Statement } from 'better-sqlite3';
import type { MessageRow } from './message-row.js';
import type { Store } from './store.js';
import type { Step } from './writer.js';

// The bits of the column `told`.
export const TOLD = { delivery: 1, followUp: 2, stop: 4, givenUp: 8 } as const;

// Fails the unit (Unmet) where it was told already: written together with the notice, it is told once.
export const markTold = (messageId: string, what: keyof typeof TOLD): Step => ({
  sql: `UPDATE messages SET told = told | ${TOLD[what]} WHERE id = ? AND told & ${TOLD[what]} = 0`,
  values: [messageId],
  expect: 1,
});

export class Tellings {
  readonly #told: Statement;
  readonly #owing: Statement;
  readonly #owingOf: Statement;

  constructor({ read }: Store) {
    this.#told = read.prepare('SELECT told FROM messages WHERE id = ?');
    this.#owing = read.prepare(
      `SELECT m.*, s.name AS recipient_name FROM messages m JOIN sessions s ON s.id = m.recipient
       WHERE m.owes = 1 AND m.seq > ? ORDER BY m.seq LIMIT ?`,
    );
    this.#owingOf = read.prepare(
      `SELECT m.*, s.name AS recipient_name FROM messages m JOIN sessions s ON s.id = m.recipient
       WHERE m.owes = 1 AND m.recipient = ? ORDER BY m.seq`,
    );
  }

  wasTold(messageId: string, what: keyof typeof TOLD): boolean {
    const row = this.#told.get(messageId) as { told: number } | undefined;
    return row === undefined || (row.told & TOLD[what]) !== 0;
  }

  // Those to one session of which something may be left to tell.
  owingOf(recipient: string): MessageRow[] {
    return this.#owingOf.all(recipient) as MessageRow[];
  }

  // Those of which something may be left to tell, from behind `seq` on.
  owing(seq: number, limit: number): MessageRow[] {
    return this.#owing.all(seq, limit) as MessageRow[];
  }
}
