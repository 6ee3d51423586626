// A fake agent drawn as simple ink programs are: right below its transcript, the cursor hidden in an empty row below all, and
// a transcript that shows a prompt just as the box did. `--asks MS`: a dialog opens so long after each submission.
import { parseArgs } from 'node:util';
import { logEvent } from './lib/log.mjs';

const { asks } = parseArgs({ options: { asks: { type: 'string' } } }).values;
const PASTE = /\x1b\[20[01]~/g;
let [text, drawn, isDialog] = ['', 0, false];

const rowsOf = (draft) => `> ${draft.replaceAll('\n', '\n  ')}`.split('\n');
const frame = () => (isDialog ? ['Run it?', '> yes', '  no'] : rowsOf(text));

function paint(above = []) {
  const start = drawn > 0 ? `\x1b[${drawn}A` : '';
  drawn = frame().length;
  process.stdout.write(`${start}\r\x1b[J${[...above, ...frame()].join('\r\n')}\r\n`);
}

function ask() {
  isDialog = true;
  paint();
}

function enter() {
  if (isDialog) logEvent('approve');
  else if (text !== '') {
    const sent = text;
    text = '';
    logEvent('submit', { text: sent });
    paint(rowsOf(sent));
    if (asks) setTimeout(ask, Number(asks));
    return;
  }
  isDialog = false;
  paint();
}

process.stdin.setRawMode(true);
process.stdout.write('\x1b[?25l\x1b[?2004h');
process.stdin.on('data', (data) => {
  const input = data.toString();
  if (input === '\r') return enter();
  text += input.replace(PASTE, '').replaceAll('\r', '\n');
  paint();
});
paint();
logEvent('ready', { pid: process.pid });
