// Writes every byte it reads from its terminal to the file in argv; `--cooked` leaves line mode on, `--bracketed` asks for bracketed paste.
import fs from 'node:fs';

const [file, ...flags] = process.argv.slice(2);
const out = fs.openSync(file, 'a');
if (!flags.includes('--cooked')) process.stdin.setRawMode(true);
if (flags.includes('--bracketed')) process.stdout.write('\x1b[?2004h');
process.stdin.on('data', (chunk) => fs.writeSync(out, chunk));
process.stdout.write('READY');
