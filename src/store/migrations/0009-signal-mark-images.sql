-- What is known of a marker besides what it says: whether it was a report, and how else it was seen.

-- 0: it was typed, stood in mail, or was there before the session was ours.
ALTER TABLE signal_marks ADD COLUMN is_report INTEGER NOT NULL DEFAULT 1;
-- 1: its program clears the screen and paints it again, so copies of it stand in the scrollback.
ALTER TABLE signal_marks ADD COLUMN is_copied INTEGER NOT NULL DEFAULT 0;
-- Other words that stood before it, a JSON list.
ALTER TABLE signal_marks ADD COLUMN also TEXT NOT NULL DEFAULT '[]';
