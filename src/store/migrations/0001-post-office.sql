-- Sessions, messages and everything that ever happened to a message.

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  agent TEXT NOT NULL,
  origin TEXT NOT NULL CHECK (origin IN ('started', 'adopted')),
  socket TEXT NOT NULL,             -- path of the tmux socket
  server TEXT NOT NULL,             -- pid and start time of the tmux server: pane ids count anew on another one
  tmux_session TEXT NOT NULL,
  pane TEXT NOT NULL,
  command TEXT NOT NULL,            -- JSON array
  cwd TEXT NOT NULL,
  program TEXT,                     -- JSON: the process that was started or adopted
  epoch INTEGER NOT NULL DEFAULT 1,
  state TEXT NOT NULL CHECK (state IN ('starting', 'live', 'ended', 'gone')),
  state_reason TEXT,
  paused INTEGER NOT NULL DEFAULT 0,
  composer TEXT,                    -- JSON: how its input box looked when it was known to be empty
  created_at INTEGER NOT NULL,      -- milliseconds, as all times here
  removed_at INTEGER
) STRICT;

CREATE UNIQUE INDEX sessions_name ON sessions (name) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX sessions_pane ON sessions (socket, server, pane) WHERE removed_at IS NULL AND pane <> '';

CREATE TABLE messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  recipient TEXT NOT NULL REFERENCES sessions (id),
  sender_session TEXT,
  sender_name TEXT NOT NULL,
  text TEXT NOT NULL,
  command INTEGER NOT NULL DEFAULT 0,
  mode TEXT NOT NULL DEFAULT 'sequential',
  created_at INTEGER NOT NULL,
  -- What follows is folded from message_events and written with each of them.
  state TEXT NOT NULL CHECK (state IN ('pending', 'attempting', 'settled', 'cancelled')),
  receipt TEXT NOT NULL CHECK (receipt IN ('queued', 'typed', 'submitted', 'received', 'done')),
  attempts INTEGER NOT NULL DEFAULT 0,
  held TEXT,                        -- JSON: why it waits
  settled_at INTEGER
) STRICT;

CREATE INDEX messages_waiting ON messages (recipient, seq) WHERE state IN ('pending', 'attempting');
CREATE INDEX messages_recipient ON messages (recipient, seq);
CREATE INDEX messages_sender ON messages (sender_session, seq);

CREATE TABLE message_events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  data TEXT NOT NULL                -- JSON object
) STRICT;

CREATE INDEX message_events_message ON message_events (message_id, seq);
