// An error as a person reads it, and the exit code that it ends with.
import { ApiFailure, brokeOff, connect, NotRunning } from './connect.js';
import { CliError, EXIT, type Exit } from './errors.js';
import { nearest } from './nearest.js';
import { visible } from './print.js';

const BY_STATUS: Record<number, Exit> = {
  400: EXIT.usage,
  404: EXIT.missing,
  409: EXIT.refused,
  413: EXIT.usage,
  // A full queue.
  429: EXIT.refused,
};

// `sessions`: the words of the command line that were meant to name sessions.
export async function report(error: unknown, sessions: string[]): Promise<Exit> {
  const { exit, message, hint } = await explain(error, sessions);
  const lines = [`sm: ${message}`, ...(hint ? hint.split('\n').map((line) => `    ${line}`) : [])];
  process.stderr.write(`${lines.map(visible).join('\n')}\n`);
  return exit;
}

interface Explained {
  exit: Exit;
  message: string;
  hint?: string | undefined;
}

async function explain(error: unknown, sessions: string[]): Promise<Explained> {
  if (error instanceof CliError) return error;
  if (error instanceof ApiFailure) {
    const message = failureMessage(error.detail);
    const isOpen = error.detail.field !== 'agent' && !/did you mean/.test(message);
    const suggestion = error.status === 404 && isOpen ? await suggest(error, sessions) : undefined;
    return {
      exit: BY_STATUS[error.status] ?? EXIT.failed,
      message: message + (suggestion ?? ''),
      hint: (error as { hint?: string }).hint,
    };
  }
  const { code, message, stack, hint } = error as NodeJS.ErrnoException & { hint?: string };
  if (brokeOff(error))
    return { exit: EXIT.noDaemon, message: 'the daemon stopped before it had answered', hint };
  if (error instanceof NotRunning)
    return { exit: EXIT.noDaemon, message, hint: code === 'EACCES' ? 'it belongs to another user' : hint };
  return { exit: EXIT.failed, message: code ? message : (stack ?? String(error)) };
}

// The daemon's words, with whatever of field, value and expectation they do not hold already.
export function failureMessage(detail: ApiFailure['detail']): string {
  const { message, field, value, expected } = detail;
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  const named = field === undefined || message.includes(field);
  const valued = shown === undefined || message.includes(shown);
  const subject = [named ? '' : field, valued ? '' : `"${shown.slice(0, 100)}"`].filter(Boolean).join(' ');
  const wish = expected && !message.includes(expected) ? `; expected ${expected}` : '';
  return `${subject ? `${subject}: ` : ''}${message}${wish}`;
}

async function suggest(error: ApiFailure, words: string[]): Promise<string | undefined> {
  const known = await connect()
    .sessions()
    .catch(() => []);
  const names = known.map(({ name }) => name);
  const { value } = error.detail;
  const unknown =
    typeof value === 'string'
      ? [value]
      : words.filter((word) => !known.some(({ id, name }) => name === word || id.startsWith(word)));
  for (const word of unknown) {
    const close = nearest(word, names);
    if (close) return `; did you mean "${close}"?`;
  }
  return names.length === 0 && unknown.length ? '; there are no sessions yet' : undefined;
}
