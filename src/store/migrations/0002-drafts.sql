-- The journal of drafts, and whether mail may go past one.

-- No foreign keys: what a person typed is kept whatever becomes of the session and the message.
CREATE TABLE drafts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL,
  session_name TEXT NOT NULL,       -- as it was then
  message_id TEXT,                  -- the message that it made way for
  attempt INTEGER NOT NULL,
  protocol TEXT NOT NULL,
  text TEXT NOT NULL,
  caret INTEGER,                    -- offset in UTF-16 units; NULL where it is not known
  exact INTEGER NOT NULL CHECK (exact IN (0, 1)),
  -- saved: taken from the box and not proved to be back; restored: back and proved; differs: the box holds something else
  -- and the text is offered to the person; taken: the person took it.
  state TEXT NOT NULL CHECK (state IN ('saved', 'restored', 'differs', 'taken')),
  proof TEXT,
  found TEXT,                       -- what the box held instead
  held_ms INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX drafts_open ON drafts (session_id, seq) WHERE state IN ('saved', 'differs');
CREATE INDEX drafts_session ON drafts (session_id, seq);
CREATE INDEX drafts_attempt ON drafts (message_id, attempt);
CREATE INDEX drafts_updated ON drafts (updated_at);

-- NULL: as the one above says (message, session, configuration).
ALTER TABLE sessions ADD COLUMN past_draft TEXT CHECK (past_draft IN ('auto', 'now', 'stale', 'never'));
ALTER TABLE messages ADD COLUMN past_draft TEXT CHECK (past_draft IN ('auto', 'now', 'stale', 'never'));
