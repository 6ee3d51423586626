-- The dashboard: who is signed in, and when a person last typed into a session through it.

CREATE TABLE sign_ins (
  id TEXT PRIMARY KEY,
  -- SHA-256 of the secret that a browser holds, in hex; the one before counts for a moment, for requests under way.
  hash TEXT NOT NULL UNIQUE,
  previous_hash TEXT,
  created_at INTEGER NOT NULL,
  renewed_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Seconds since the epoch with a fraction, as tmux counts the keys of its own clients.
ALTER TABLE sessions ADD COLUMN keyed_at REAL;
