// Runs a command of the user: no shell, bounded in time and in output, and ended with all that it started.
import { spawn } from 'node:child_process';

export interface CommandOptions {
  env: NodeJS.ProcessEnv;
  cwd: string;
  // What it reads.
  input: string;
  timeoutMs: number;
  // So many characters of each stream are kept: of the output the first, of its errors the last.
  most: number;
  // Nobody waits for it any more: it is left to itself, or ended.
  ended?: AbortSignal | undefined;
  atEnd?: 'leave' | 'end' | undefined;
}

export type CommandEnd =
  | { kind: 'exited'; code: number; stdout: string; stderr: string }
  | { kind: 'signalled'; signal: string; stderr: string }
  | { kind: 'timeout'; stderr: string }
  | { kind: 'not_started'; reason: string }
  | { kind: 'left' };

// Between the polite signal and the other one.
const GRACE_MS = 2000;

export function runCommand(argv: readonly string[], options: CommandOptions): Promise<CommandEnd> {
  const { env, cwd, input, timeoutMs, most, ended, atEnd = 'leave' } = options;
  const [program = '', ...args] = argv;
  return new Promise((resolve) => {
    // A group of its own, so that it can be ended as one.
    const child = spawn(program, args, { env, cwd, detached: true, stdio: 'pipe' });
    const out: string[] = [];
    let kept = 0;
    let stderr = '';
    let exited: { code: number | null; signal: NodeJS.Signals | null } | undefined;
    const finish = (end: CommandEnd): void => {
      clearTimeout(timer);
      ended?.removeEventListener('abort', leave);
      resolve(end);
    };
    const leave = (): void => {
      if (atEnd === 'end') endGroup(child.pid);
      child.unref();
      for (const stream of child.stdio) stream?.destroy();
      finish({ kind: 'left' });
    };
    const timer = setTimeout(() => {
      endGroup(child.pid);
      // What it left behind may hold its output open for ever.
      finish(exited ? endOf(exited, out.join(''), stderr) : { kind: 'timeout', stderr });
    }, timeoutMs);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (kept < most) out.push(text.slice(0, most - kept));
      kept += text.length;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-most);
    });
    // It may not read what it is given.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) finish({ kind: 'not_started', reason: error.code ?? error.message });
    });
    child.on('exit', (code, signal) => {
      exited = { code, signal };
    });
    child.on('close', (code, signal) => finish(endOf({ code, signal }, out.join(''), stderr)));
    if (ended?.aborted) leave();
    else ended?.addEventListener('abort', leave);
  });
}

const endOf = (
  { code, signal }: { code: number | null; signal: NodeJS.Signals | null },
  stdout: string,
  stderr: string,
): CommandEnd =>
  code === null
    ? { kind: 'signalled', signal: signal ?? 'a signal', stderr }
    : { kind: 'exited', code, stdout, stderr };

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  const send = (signal: NodeJS.Signals): void => {
    try {
      process.kill(-pid, signal);
    } catch {
      // Nobody is left.
    }
  };
  send('SIGTERM');
  setTimeout(() => send('SIGKILL'), GRACE_MS).unref();
}
