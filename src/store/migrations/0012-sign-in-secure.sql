-- Whether the browser came over https: its cookie is for https alone, and so is each that follows it.
ALTER TABLE sign_ins ADD COLUMN secure INTEGER NOT NULL DEFAULT 0;
