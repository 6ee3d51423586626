-- Other machines that are reached over ssh.
CREATE TABLE hosts (
  name TEXT PRIMARY KEY,
  destination TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
