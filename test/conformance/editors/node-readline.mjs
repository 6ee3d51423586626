// Node readline: each line that is submitted, as a JSON string, appended to $SM_LINES.
import fs from 'node:fs';
import readline from 'node:readline';

const editor = readline.createInterface({ input: process.stdin, output: process.stdout, prompt: 'node> ' });
editor.prompt();
editor.on('line', (text) => {
  fs.appendFileSync(process.env.SM_LINES, JSON.stringify(text) + '\n');
  editor.prompt();
});
