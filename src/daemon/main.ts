// The daemon's process. Tells whoever started it, on file descriptor 3, whether it runs: `ready`, `running` or `failed`.
import fs from 'node:fs';
import { startDaemon } from './daemon.js';

process.umask(0o077);
process.chdir('/');

function tell(word: 'ready' | 'running' | 'failed', details: Record<string, unknown>): void {
  try {
    // Without whoever listens there, the number may belong to anything of Node's own.
    const stat = fs.fstatSync(3);
    if (!stat.isFIFO() && !stat.isSocket()) throw new Error('nobody listens');
    fs.writeSync(3, `${word} ${JSON.stringify(details)}\n`);
    fs.closeSync(3);
  } catch {
    // Started by hand, or by systemd.
    process.stderr.write(`${word} ${JSON.stringify(details)}\n`);
  }
}

// Crash-only: what is not understood ends the process, and the next start recovers.
process.on('uncaughtException', (error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});

try {
  const started = await startDaemon(process.env);
  if (started.outcome === 'running') {
    tell('running', { pid: started.pid });
    process.exit(0);
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void started.stop());
  // A terminal that closes does not take the post office with it.
  process.on('SIGHUP', () => {});
  tell('ready', { pid: started.pid, url: started.url });
  await started.stopped;
  process.exit(0);
} catch (error) {
  tell('failed', { message: (error as Error).message });
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exit(1);
}
