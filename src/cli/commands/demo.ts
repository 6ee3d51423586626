import { defineCommand } from '../command.js';

// Not known to the compiler by name, since the demo is loaded only when it is asked for.
const SCRIPT: string = '../demo/run.js';

async function runDemo(words: string[]): Promise<number> {
  const demo = (await import(SCRIPT)) as { runDemo(words: string[]): Promise<number> };
  return demo.runDemo(words);
}

export default defineCommand({
  args: [],
  options: {},
  examples: [{ run: 'sm demo', does: 'needs tmux and nothing else; leaves nothing behind' }],
  raw: runDemo,
  run: () => runDemo([]),
});
