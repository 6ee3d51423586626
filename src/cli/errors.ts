// What the exit codes mean, and the errors that end a command with one of them.
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  missing: 3,
  refused: 4,
  noDaemon: 5,
  timeout: 124,
} as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS: readonly (readonly [Exit, string])[] = [
  [EXIT.ok, 'done'],
  [EXIT.failed, 'failed'],
  [EXIT.usage, 'bad usage'],
  [EXIT.missing, 'no such session, message or draft'],
  [EXIT.refused, 'refused in the present state'],
  [EXIT.noDaemon, 'no daemon runs, or it cannot be started'],
  [EXIT.timeout, 'the time was over first'],
];

export class CliError extends Error {
  override readonly name: string = 'CliError';

  constructor(
    message: string,
    readonly exit: Exit,
    // What to do about it, on a line of its own.
    readonly hint?: string,
  ) {
    super(message);
  }
}

export class UsageError extends CliError {
  override readonly name = 'UsageError';

  constructor(message: string, hint?: string) {
    super(message, EXIT.usage, hint);
  }
}
