-- Messages that an agent has in a queue of its own, how they want to be taken, and what a session's door and agent said last.

-- The list of states changes, so the table is made anew.
CREATE TABLE messages_new (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  recipient TEXT NOT NULL REFERENCES sessions (id),
  sender_session TEXT,
  sender_name TEXT NOT NULL,
  text TEXT NOT NULL,
  command INTEGER NOT NULL DEFAULT 0,
  mode TEXT NOT NULL DEFAULT 'sequential' CHECK (mode IN ('sequential', 'important', 'urgent')),
  created_at INTEGER NOT NULL,
  -- What follows is folded from message_events and written with each of them.
  -- accepted: in the agent's own queue; it has not shown the message yet.
  state TEXT NOT NULL CHECK (state IN ('pending', 'attempting', 'accepted', 'settled', 'cancelled')),
  receipt TEXT NOT NULL CHECK (receipt IN ('queued', 'typed', 'submitted', 'received', 'done')),
  attempts INTEGER NOT NULL DEFAULT 0,
  held TEXT,                        -- JSON: why it waits
  settled_at INTEGER,
  past_draft TEXT CHECK (past_draft IN ('auto', 'now', 'stale', 'never')),
  -- NULL: a person's mail is a prompt, an agent's a notice where its reader knows the difference.
  speaks TEXT CHECK (speaks IN ('prompt', 'notice')),
  -- What happens when nobody can tell whether it was taken. NULL: a person's mail at most once, an agent's at least once.
  surety TEXT CHECK (surety IN ('at_least_once', 'at_most_once')),
  -- The turn in which the agent showed it.
  turn TEXT,
  -- In the order in which they go: what interrupts first, then what goes ahead, then the rest.
  rank INTEGER GENERATED ALWAYS AS (CASE mode WHEN 'urgent' THEN 0 WHEN 'important' THEN 1 ELSE 2 END) VIRTUAL
) STRICT;

INSERT INTO messages_new
  (seq, id, recipient, sender_session, sender_name, text, command, mode, created_at, state, receipt, attempts, held,
   settled_at, past_draft)
SELECT seq, id, recipient, sender_session, sender_name, text, command, mode, created_at, state, receipt, attempts, held,
       settled_at, past_draft
FROM messages;
DROP TABLE messages;
ALTER TABLE messages_new RENAME TO messages;

CREATE INDEX messages_waiting ON messages (recipient, rank, seq) WHERE state IN ('pending', 'attempting');
CREATE INDEX messages_attempting ON messages (recipient) WHERE state = 'attempting';
CREATE INDEX messages_accepted ON messages (recipient, seq) WHERE state = 'accepted';
-- Received, and the turn that took them goes on.
CREATE INDEX messages_open_turn ON messages (recipient, seq) WHERE receipt = 'received';
CREATE INDEX messages_recipient ON messages (recipient, seq);
CREATE INDEX messages_sender ON messages (sender_session, seq);

-- JSON: what its door needs to be found again, for the process that runs now; and what the agent was last known to do.
ALTER TABLE sessions ADD COLUMN door TEXT;
ALTER TABLE sessions ADD COLUMN status TEXT;
