// A line editor under test: node's readline, each submitted line appended to the file in FAKE_LOG.
import fs from 'node:fs';
import readline from 'node:readline';

const editor = readline.createInterface({ input: process.stdin, output: process.stdout, prompt: 'node> ' });
editor.on('line', (line) => {
  fs.appendFileSync(process.env.FAKE_LOG, `${line}\n`);
  editor.prompt();
});
editor.prompt();
