// The table of browsers that are signed in; of their secrets it has the hashes alone.
import type { Store } from './store.js';
import type { Step } from './writer.js';

export interface SignInRow {
  id: string;
  hash: string;
  // Counts as well, until the newer one has been seen.
  previous_hash: string | null;
  secure: 0 | 1;
  created_at: number;
  renewed_at: number;
  expires_at: number;
}

export const putSignIn = (row: SignInRow): Step => ({
  sql: `INSERT INTO sign_ins (id, hash, previous_hash, secure, created_at, renewed_at, expires_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET hash = excluded.hash, previous_hash = excluded.previous_hash,
          renewed_at = excluded.renewed_at, expires_at = excluded.expires_at`,
  values: [row.id, row.hash, row.previous_hash, row.secure, row.created_at, row.renewed_at, row.expires_at],
});

// Only this secret counts from now on; one that has a successor by now stays as it is.
export const settleSignIn = (id: string, hash: string): Step => ({
  sql: 'UPDATE sign_ins SET previous_hash = NULL WHERE id = ? AND hash = ?',
  values: [id, hash],
});

export const dropSignIn = (id: string): Step => ({ sql: 'DELETE FROM sign_ins WHERE id = ?', values: [id] });

export const dropAllSignIns: Step = { sql: 'DELETE FROM sign_ins', values: [] };

export const purgeSignIns = (now: number): Step => ({
  sql: 'DELETE FROM sign_ins WHERE expires_at <= ?',
  values: [now],
});

export const readSignIns = ({ read }: Store): SignInRow[] =>
  read.prepare('SELECT * FROM sign_ins').all() as SignInRow[];
