// A fake agent: node's own line editor, one submission per line.
import readline from 'node:readline';
import { logEvent } from './lib/log.mjs';
import { exitOnSignals } from './lib/signals.mjs';

process.on('exit', (code) => logEvent('exit', { code }));
exitOnSignals();

const rl = readline.createInterface({
  input: process.stdin,
  output: process.stdout,
  terminal: true,
  prompt: 'readline> ',
});
rl.on('line', (text) => {
  if (text) {
    logEvent('submit', { text });
    console.log(`bot: ok ${[...text].length} chars`);
  }
  rl.prompt();
});
// C-d and C-c both close the editor, which restores the terminal.
rl.on('close', () => process.exit(0));
rl.prompt();
logEvent('ready');
