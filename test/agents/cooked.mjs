// A fake agent: reads lines from a terminal in cooked mode, one submission per line.
import { logEvent } from './lib/log.mjs';
import { exitOnSignals } from './lib/signals.mjs';

const prompt = process.argv.includes('--no-prompt') ? '' : '? ';
let rest = '';

process.on('exit', (code) => logEvent('exit', { code }));
exitOnSignals();

process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const text of lines) {
    if (text) {
      logEvent('submit', { text });
      process.stdout.write(`bot: ok ${[...text].length} chars\n`);
    }
    process.stdout.write(prompt);
  }
});
process.stdin.on('end', () => process.exit(0));
process.stdout.write(prompt);
logEvent('ready');
