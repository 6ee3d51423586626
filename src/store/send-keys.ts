// The table of keys: a key names one sending, and whoever sends it again gets what it became then.
import type { Statement } from 'better-sqlite3';
import type { Store } from './store.js';
import type { Step } from './writer.js';

export interface SendKey {
  // The sender: keys of different senders have nothing to do with each other.
  scope: string;
  key: string;
  // Of what was sent, so that the same key with something else is noticed.
  print: string;
  messages: readonly string[];
  createdAt: number;
}

// Fails the unit (Unmet) where the key is taken.
export const insertSendKey = ({ scope, key, print, messages, createdAt }: SendKey): Step => ({
  sql: 'INSERT OR IGNORE INTO send_keys (scope, key, print, messages, created_at) VALUES (?, ?, ?, ?, ?)',
  values: [scope, key, print, JSON.stringify(messages), createdAt],
  expect: 1,
});

export const purgeSendKeys = (before: number): Step => ({
  sql: 'DELETE FROM send_keys WHERE created_at < ?',
  values: [before],
});

export class SendKeys {
  readonly #get: Statement;

  constructor({ read }: Store) {
    this.#get = read.prepare('SELECT * FROM send_keys WHERE scope = ? AND key = ?');
  }

  get(scope: string, key: string): SendKey | undefined {
    const row = this.#get.get(scope, key) as
      | { scope: string; key: string; print: string; messages: string; created_at: number }
      | undefined;
    return row && { ...row, messages: JSON.parse(row.messages) as string[], createdAt: row.created_at };
  }
}
