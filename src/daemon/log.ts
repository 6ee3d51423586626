// Structured logs: one JSON object a line, private to the owner, never with tokens or the text of messages.
import fs from 'node:fs';
import { type Logger, pino } from 'pino';

const MAX_LOG_BYTES = 10 * 1024 * 1024;

export function openLog(file: string): Logger {
  // One old file is kept; rotated at start only, since the daemon logs events and not traffic.
  if (fs.existsSync(file) && fs.statSync(file).size > MAX_LOG_BYTES) fs.renameSync(file, `${file}.1`);
  fs.closeSync(fs.openSync(file, 'a', 0o600));
  const destination = pino.destination({ dest: file, sync: true });
  // What cannot be written down, as on a full disk, must not stop what it is about.
  destination.on('error', () => {});
  return pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
