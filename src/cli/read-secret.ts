// A secret as a person types it, without showing it, or from standard input.
import { UsageError } from './errors.js';

const ENTER = /[\r\n]/;
const CTRL_C = '\x03';
const CTRL_D = '\x04';
const ERASE = /[\x7f\b]/;

export async function readSecret(question: string): Promise<string> {
  const { stdin } = process;
  const secret = stdin.isTTY ? await typed(question) : await piped();
  if (secret === '') throw new UsageError('no password was given');
  return secret;
}

async function piped(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}

function typed(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(question);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  return new Promise((resolve, reject) => {
    let secret = '';
    const end = (act: () => void): void => {
      stdin.off('data', take);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
      act();
    };
    const take = (text: string): void => {
      for (const char of text) {
        const isGivenUp = char === CTRL_C || (char === CTRL_D && secret === '');
        if (isGivenUp || char === CTRL_D || ENTER.test(char)) {
          end(isGivenUp ? () => reject(new UsageError('no password was given')) : () => resolve(secret));
          return;
        }
        secret = ERASE.test(char) ? [...secret].slice(0, -1).join('') : secret + char;
      }
    };
    stdin.on('data', take);
  });
}
