-- Signals: what agents report, each once, with a number that only grows; through which doors each was heard; how far the
-- files in which agents leave signals were read.

CREATE TABLE signals (
  -- Of all sessions together, in the order in which they were heard.
  ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL REFERENCES sessions (id),
  seq INTEGER NOT NULL,
  state TEXT NOT NULL,
  message TEXT NOT NULL,
  -- Given by the agent: the same one of the same session is the same signal.
  id TEXT,
  door TEXT NOT NULL,
  -- State and message without white space, by which one that came through two doors is known.
  print TEXT NOT NULL,
  -- When the agent said it, and when it was heard.
  at INTEGER NOT NULL,
  heard_at INTEGER NOT NULL,
  confidence REAL,
  UNIQUE (session, seq)
) STRICT;

CREATE UNIQUE INDEX signals_id ON signals (session, id) WHERE id IS NOT NULL;
CREATE INDEX signals_print ON signals (session, print, at);
CREATE INDEX signals_at ON signals (at);

-- Through which doors a signal was heard; the key is its identity inside that door.
CREATE TABLE signal_doors (
  session TEXT NOT NULL,
  seq INTEGER NOT NULL,
  door TEXT NOT NULL,
  key TEXT,
  PRIMARY KEY (session, seq, door)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX signal_doors_key ON signal_doors (session, door, key) WHERE key IS NOT NULL;

-- How far the file of a session was read, and when; written with what was read. The file is known by its number on the disk.
CREATE TABLE signal_files (
  session TEXT PRIMARY KEY,
  file TEXT NOT NULL,
  position INTEGER NOT NULL,
  read_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The last signal of a session, and when its agent last reported one by itself.
ALTER TABLE sessions ADD COLUMN signal_seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN signal_state TEXT;
ALTER TABLE sessions ADD COLUMN signal_message TEXT;
ALTER TABLE sessions ADD COLUMN signal_door TEXT;
ALTER TABLE sessions ADD COLUMN signal_at INTEGER;
ALTER TABLE sessions ADD COLUMN last_signal_at INTEGER;
