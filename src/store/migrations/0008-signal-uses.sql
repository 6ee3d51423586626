-- What is done because of signals: each action of the configuration once for each signal.

-- Since when the daemon knows an action: what was said before that is not its business.
CREATE TABLE signal_actions (
  print TEXT PRIMARY KEY,
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Written with the signal. `started`: it runs, or it is not known how it ended; such a one is never begun again.
CREATE TABLE signal_uses (
  ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL,
  seq INTEGER NOT NULL,
  action TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting'
    CHECK (state IN ('waiting', 'started', 'done', 'failed', 'dropped', 'uncertain')),
  tries INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL,
  reason TEXT,
  created_at INTEGER NOT NULL,
  settled_at INTEGER,
  UNIQUE (session, seq, action)
) STRICT;

CREATE INDEX signal_uses_open ON signal_uses (action, ordinal) WHERE state IN ('waiting', 'started');
CREATE INDEX signal_uses_settled ON signal_uses (settled_at) WHERE settled_at IS NOT NULL;

-- Which mail to a session was written because of which signal: so that none goes round for ever.
CREATE TABLE signal_mails (
  message TEXT PRIMARY KEY,
  recipient TEXT NOT NULL,
  session TEXT NOT NULL,
  seq INTEGER NOT NULL,
  action TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX signal_mails_recipient ON signal_mails (recipient, at);
