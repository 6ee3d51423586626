// Writes every byte it reads from its terminal to the file in argv. `--cooked` leaves line mode on, `--bracketed` asks for
// bracketed paste, `--echo` shows each key at once, `--late` echoes each key after a while and writes a `!` before one that comes earlier than that.
import fs from 'node:fs';

const LATE_MS = 120;
const [file, ...flags] = process.argv.slice(2);
const out = fs.openSync(file, 'a');
if (!flags.includes('--cooked')) process.stdin.setRawMode(true);
if (flags.includes('--bracketed')) process.stdout.write('\x1b[?2004h');
let unshown = 0;
process.stdin.on('data', (chunk) => {
  if (unshown > 0) fs.writeSync(out, '!');
  fs.writeSync(out, chunk);
  if (flags.includes('--echo')) process.stdout.write(chunk);
  if (!flags.includes('--late')) return;
  unshown++;
  setTimeout(() => process.stdout.write(chunk, () => unshown--), LATE_MS);
});
process.stdout.write('READY');
