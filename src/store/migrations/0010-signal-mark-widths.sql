-- How wide the screen was on which a marker was seen; 0 where that is not known.
ALTER TABLE signal_marks ADD COLUMN columns INTEGER NOT NULL DEFAULT 0;
