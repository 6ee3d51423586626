-- Deadlines, keys, batches, dead letters, notifications, threads; timers; the inbox of people; kin and groups of sessions.

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
  past_draft TEXT CHECK (past_draft IN ('auto', 'now', 'stale', 'never')),
  -- NULL: a person's mail is a prompt, an agent's a notice where its reader knows the difference.
  speaks TEXT CHECK (speaks IN ('prompt', 'notice')),
  -- What happens when nobody can tell whether it was taken. NULL: a person's mail at most once, an agent's at least once.
  surety TEXT CHECK (surety IN ('at_least_once', 'at_most_once')),
  -- Not delivered later than this.
  expires_at INTEGER,
  -- Only once its agent is known to be idle.
  when_idle INTEGER NOT NULL DEFAULT 0,
  -- Urgent and at any price: a draft that cannot be saved does not keep it waiting.
  force INTEGER NOT NULL DEFAULT 0,
  -- Whether the sender is told of its delivery, of it again so many milliseconds later, of the end of its turn.
  notify_delivery INTEGER NOT NULL DEFAULT 0,
  notify_after INTEGER,
  notify_stop INTEGER NOT NULL DEFAULT 0,
  -- The sender is not told that it expired or became a dead letter.
  quiet INTEGER NOT NULL DEFAULT 0,
  -- The message that it answers, and the first one of their conversation.
  in_reply_to TEXT,
  thread TEXT NOT NULL,
  -- What follows is folded from message_events and written with each of them.
  -- accepted: in the agent's own queue; it has not shown the message yet. dead: given up after too many failures.
  state TEXT NOT NULL CHECK (state IN ('pending', 'attempting', 'accepted', 'settled', 'cancelled', 'expired', 'dead')),
  receipt TEXT NOT NULL CHECK (receipt IN ('queued', 'typed', 'submitted', 'received', 'done')),
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Attempts that came to nothing for no fault of a person or of a crash, and until when the next one waits for them.
  failures INTEGER NOT NULL DEFAULT 0,
  not_before INTEGER,
  -- The message in whose attempt it goes along; NULL for one that goes by itself.
  lead TEXT,
  held TEXT,                        -- JSON: why it waits
  settled_at INTEGER,
  -- The turn in which the agent showed it.
  turn TEXT,
  -- What its sender was told, as bits: 1 its delivery, 2 a follow-up is set, 4 the end of its turn (or that is watched for),
  -- 8 that it was given up.
  told INTEGER NOT NULL DEFAULT 0,
  -- In the order in which they go: what interrupts first, then what goes ahead, then the rest.
  rank INTEGER GENERATED ALWAYS AS (CASE mode WHEN 'urgent' THEN 0 WHEN 'important' THEN 1 ELSE 2 END) VIRTUAL,
  -- Something may be left to tell its sender.
  owes INTEGER GENERATED ALWAYS AS (
    CASE
      WHEN state IN ('expired', 'dead') THEN quiet = 0 AND told & 8 = 0
      WHEN receipt IN ('received', 'done') OR (state = 'settled' AND receipt = 'submitted') THEN
        (notify_delivery = 1 AND told & 1 = 0) OR (notify_after IS NOT NULL AND told & 2 = 0)
          OR (notify_stop = 1 AND told & 4 = 0)
      ELSE 0
    END
  ) VIRTUAL
) STRICT;

INSERT INTO messages_new
  (seq, id, recipient, sender_session, sender_name, text, command, mode, created_at, past_draft, speaks, surety, thread,
   state, receipt, attempts, held, settled_at, turn)
SELECT seq, id, recipient, sender_session, sender_name, text, command, mode, created_at, past_draft, speaks, surety, id,
       state, receipt, attempts, held, settled_at, turn
FROM messages;
DROP TABLE messages;
ALTER TABLE messages_new RENAME TO messages;

-- With the state, so that counting reads the index alone.
CREATE INDEX messages_waiting ON messages (recipient, rank, seq, state) WHERE state IN ('pending', 'attempting');
CREATE INDEX messages_attempting ON messages (recipient) WHERE state = 'attempting';
CREATE INDEX messages_accepted ON messages (recipient, seq) WHERE state = 'accepted';
-- Received, and the turn that took them goes on.
CREATE INDEX messages_open_turn ON messages (recipient, seq) WHERE receipt = 'received';
CREATE INDEX messages_recipient ON messages (recipient, seq);
CREATE INDEX messages_sender ON messages (sender_session, seq);
CREATE INDEX messages_lead ON messages (lead) WHERE lead IS NOT NULL;
CREATE INDEX messages_thread ON messages (thread, seq);
CREATE INDEX messages_expiring ON messages (expires_at) WHERE expires_at IS NOT NULL AND state IN ('pending', 'attempting', 'accepted');
CREATE INDEX messages_dead ON messages (seq) WHERE state = 'dead';
CREATE INDEX messages_owing ON messages (seq) WHERE owes = 1;

-- A key names one sending: whoever sends it again gets what it became then.
CREATE TABLE send_keys (
  scope TEXT NOT NULL,              -- the sender; keys of different senders have nothing to do with each other
  key TEXT NOT NULL,
  print TEXT NOT NULL,              -- of what was sent, so that the same key with something else is noticed
  messages TEXT NOT NULL,           -- JSON array of ids
  created_at INTEGER NOT NULL,
  PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX send_keys_created ON send_keys (created_at);

-- What is to be said at a time: reminders, and word to a sender some time after a delivery.
CREATE TABLE timers (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('reminder', 'follow_up')),
  target TEXT,                      -- the session; NULL for a person
  owner TEXT,                       -- the session that asked for it; NULL for a person
  text TEXT NOT NULL,
  message_id TEXT,                  -- of a follow-up: the message that was delivered
  due_at INTEGER NOT NULL,
  every_ms INTEGER,
  fired INTEGER NOT NULL DEFAULT 0, -- how often
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'cancelled', 'dropped'))
) STRICT;

CREATE INDEX timers_due ON timers (due_at) WHERE state = 'waiting';

-- Who wants to hear of the end of a turn of an agent that gives no receipts: buffered until the turn that ran is over.
CREATE TABLE stop_watches (
  message_id TEXT PRIMARY KEY,
  recipient TEXT NOT NULL,
  phase TEXT NOT NULL CHECK (phase IN ('buffered', 'armed'))
) STRICT, WITHOUT ROWID;

CREATE INDEX stop_watches_recipient ON stop_watches (recipient);

-- Mail to a person.
CREATE TABLE inbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  sender_session TEXT,
  sender_name TEXT NOT NULL,
  text TEXT NOT NULL,
  mode TEXT NOT NULL DEFAULT 'sequential',
  in_reply_to TEXT,
  thread TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  read_at INTEGER
) STRICT;

CREATE INDEX inbox_unread ON inbox (seq) WHERE read_at IS NULL;
CREATE INDEX inbox_thread ON inbox (thread, seq);

-- The session whose agent started it; the groups that it is in (JSON array); since when its agent is busy by its own word, and
-- with what.
ALTER TABLE sessions ADD COLUMN parent TEXT;
ALTER TABLE sessions ADD COLUMN groups TEXT NOT NULL DEFAULT '[]';
ALTER TABLE sessions ADD COLUMN busy_since INTEGER;
ALTER TABLE sessions ADD COLUMN busy_reason TEXT;

-- The queue in the columns of the first design of `sm send`, for whoever reads the database.
CREATE VIEW message_queue AS
SELECT id, recipient AS target_session_id, sender_session AS sender_session_id, sender_name, text, mode AS delivery_mode,
       strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch') AS queued_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', expires_at / 1000.0, 'unixepoch') AS timeout_at,
       notify_delivery AS notify_on_delivery,
       notify_after / 1000 AS notify_after_seconds,
       CASE WHEN receipt IN ('submitted', 'received', 'done')
            THEN strftime('%Y-%m-%dT%H:%M:%fZ', settled_at / 1000.0, 'unixepoch') END AS delivered_at
FROM messages WHERE state NOT IN ('cancelled', 'expired', 'dead');
