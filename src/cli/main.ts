#!/usr/bin/env node
import { run } from './run.js';

// A reader that has gone (`sm history | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const code = await run(process.argv.slice(2));
// Everything asked for has been printed: do not wait for the daemon to close its end.
process.stdout.write('', () => process.exit(code));
