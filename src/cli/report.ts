// An error as a person reads it, and the exit code that it ends with.
import type { ParsedInput } from './command.js';
import { ApiFailure, brokeOff, connect, NotRunning } from './connect.js';
import { CliError, EXIT, type Exit } from './errors.js';
import { nearest } from './nearest.js';
import { visible } from './print.js';
import { type Typed, typedBehind } from './typed.js';

const BY_STATUS: Record<number, Exit> = {
  400: EXIT.usage,
  404: EXIT.missing,
  409: EXIT.refused,
  413: EXIT.usage,
  // A full queue.
  429: EXIT.refused,
};

type Given = Partial<Pick<ParsedInput, 'sessions' | 'typed'>>;

export async function report(error: unknown, given: Given = {}): Promise<Exit> {
  const { exit, message, hint } = await explain(error, given);
  const lines = [`sm: ${message}`, ...(hint ? hint.split('\n').map((line) => `    ${line}`) : [])];
  process.stderr.write(`${lines.map(visible).join('\n')}\n`);
  return exit;
}

interface Explained {
  exit: Exit;
  message: string;
  hint?: string | undefined;
}

async function explain(error: unknown, { sessions = [], typed = [] }: Given): Promise<Explained> {
  if (error instanceof CliError) return error;
  if (error instanceof ApiFailure) {
    const message = failureMessage(error.detail, typed);
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

// The daemon's words, with whatever of field, value and expectation they do not hold already; the field as it was typed.
export function failureMessage(detail: ApiFailure['detail'], typed: readonly Typed[] = []): string {
  const { field, expected } = detail;
  const behind = field === undefined ? undefined : typedBehind(field, detail.value, typed);
  const name = behind?.name ?? field;
  const message = named(detail.message, field, name);
  const value = behind?.value ?? detail.value;
  const shown = typeof value === 'string' ? value : value === null ? undefined : JSON.stringify(value);
  const isNamed = name === undefined || message.includes(name);
  const isValued = !shown || holds(message, shown);
  const wish = expected && !message.includes(expected) ? `; expected ${expected}` : '';
  const quoted = isValued ? '' : `"${shown.slice(0, 100)}"`;
  // Behind the name that the words begin with, or else before all of them.
  if (quoted && name !== undefined && beginsWith(message, name))
    return `${name} ${quoted}${message.slice(name.length)}${wish}`;
  const subject = [isNamed ? '' : name, quoted].filter(Boolean).join(' ');
  return `${subject ? `${subject}: ` : ''}${message}${wish}`;
}

const WORD = /[\p{L}\p{N}_]/u;

// Not as a part of another word.
function holds(message: string, value: string): boolean {
  for (let at = message.indexOf(value); at !== -1; at = message.indexOf(value, at + 1)) {
    const [before = '', after = ''] = [message[at - 1], message[at + value.length]];
    if (!WORD.test(before) && !WORD.test(after)) return true;
  }
  return false;
}

// As the name of what is wrong, not as the beginning of another word.
const beginsWith = (message: string, name: string): boolean =>
  message.startsWith(name) && /^[: ]/.test(message.slice(name.length));

const named = (message: string, field: string | undefined, name: string | undefined): string =>
  field !== undefined && name !== undefined && beginsWith(message, field)
    ? name + message.slice(field.length)
    : message;

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
