// The log of what a fake agent really took: one JSON line per event in the file named by FAKE_LOG.
import fs from 'node:fs';

export function logEvent(ev, fields = {}) {
  const file = process.env.FAKE_LOG;
  if (!file) return;
  // One append per line, so that a reader never sees half of one event mixed with another.
  fs.appendFileSync(file, JSON.stringify({ t: Date.now(), ev, ...fields }) + '\n');
}
