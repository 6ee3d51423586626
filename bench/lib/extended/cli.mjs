// As little of a pi as its extensions need: loads those of --extension, tells them that a session has started, and idles.
import { pathToFileURL } from 'node:url';

const listeners = [];
const pi = {
  on: (event, listener) => listeners.push([event, listener]),
  sendUserMessage: () => {
    throw new Error('nobody writes to it');
  },
};
const context = { isIdle: () => true, hasPendingMessages: () => false };

const args = process.argv.slice(2);
for (const [i, arg] of args.entries())
  if (arg === '--extension') (await import(pathToFileURL(args[i + 1]))).default(pi);
for (const [event, listener] of listeners) if (event === 'session_start') listener({}, context);
process.stdout.write('ready\n');
process.stdin.resume();
