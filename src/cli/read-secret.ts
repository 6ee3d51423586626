// A secret as a person types it, without showing it, or from standard input.
import { UsageError } from './errors.js';

// What a terminal sends for one key: a sequence of its own, or a character.
const KEYS = /\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|[^[O])?|[^\x1b]/gsu;
const CTRL_C = '\x03';
const CTRL_D = '\x04';
const CTRL_U = '\x15';

export type Line = { at: 'typing'; secret: string } | { at: 'end'; secret: string } | { at: 'given up' };

// A line after more keys: they edit it as a terminal's own line is edited, and those that mean nothing there are passed over.
export function typeKeys(before: string, keys: string): Line {
  let secret = before;
  for (const [key] of keys.matchAll(KEYS)) {
    if (key === CTRL_C || (key === CTRL_D && secret === '')) return { at: 'given up' };
    if (key === '\r' || key === '\n' || key === CTRL_D) return { at: 'end', secret };
    if (key === '\x7f' || key === '\b') secret = [...secret].slice(0, -1).join('');
    else if (key === CTRL_U) secret = '';
    else if (!/^[\p{Cc}]/u.test(key)) secret += key;
  }
  return { at: 'typing', secret };
}

// At a terminal it is asked for twice: nobody sees what they type.
export async function readNewSecret(question: string, again: string): Promise<string> {
  const { isTTY } = process.stdin;
  const secret = isTTY ? await typed(question) : await piped();
  if (secret === '') throw new UsageError('no password was given');
  if (isTTY && (await typed(again)) !== secret)
    throw new UsageError('the two are not the same; nothing was changed');
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
  // Before it is asked for: what is typed then is not shown.
  stdin.setRawMode(true);
  stderr.write(question);
  stdin.setEncoding('utf8');
  return new Promise((resolve, reject) => {
    let secret = '';
    const take = (text: string): void => {
      const line = typeKeys(secret, text);
      if (line.at === 'typing') {
        secret = line.secret;
        return;
      }
      stdin.off('data', take);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
      if (line.at === 'end') resolve(line.secret);
      else reject(new UsageError('no password was given'));
    };
    stdin.on('data', take);
    stdin.resume();
  });
}
