// One script on a channel of its own: one that does not come back keeps nobody else waiting.
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { ShellResult } from './far-shell.js';
import { shellWord } from './shell-words.js';

// The code is undefined where it was ended by a signal.
export type ScriptResult = Omit<ShellResult, 'code'> & { code: number | undefined };

// `open`: runs a command line of the login shell there. Resolves to undefined when there is no answer in time.
export async function runScript(
  open: (line: string) => ChildProcess,
  script: string,
  deadlineMs: number,
): Promise<ScriptResult | undefined> {
  // What the login shell of the user prints by itself stands before it.
  const begin = `sm${randomBytes(9).toString('hex')}\n`;
  const child = open(`exec sh -c ${shellWord(`echo ${begin}${script}`)}`);
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, deadlineMs);
  child.stdin?.on('error', () => {});
  child.stdin?.end();
  const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(deadline);
  if (isLate) return undefined;
  const printed = stdout();
  const from = printed.indexOf(begin);
  return {
    code: code ?? undefined,
    stdout: from < 0 ? '' : printed.slice(from + begin.length),
    stderr: stderr(),
  };
}

function gather(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}
