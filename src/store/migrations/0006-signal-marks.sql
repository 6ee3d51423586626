-- The markers that were seen in each session, by which one that is seen again is known; how far the agent's own record of its
-- conversation was read for them.

CREATE TABLE signal_marks (
  session TEXT NOT NULL,
  seq INTEGER NOT NULL,
  state TEXT NOT NULL,
  message TEXT NOT NULL,
  id TEXT,
  -- The words before it on the screen; NULL while it is known from the agent's record alone.
  context TEXT,
  at INTEGER NOT NULL,
  -- Its entry in that record.
  entry TEXT,
  PRIMARY KEY (session, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE signal_records (
  session TEXT PRIMARY KEY,
  file TEXT NOT NULL,
  position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
