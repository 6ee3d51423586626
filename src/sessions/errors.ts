// What a session cannot do, with the field and what would be right.

export type SessionProblem = 'not_found' | 'ambiguous' | 'name_taken' | 'invalid' | 'conflict' | 'tmux';

export class SessionError extends Error {
  override readonly name = 'SessionError';

  constructor(
    readonly problem: SessionProblem,
    message: string,
    readonly input?: { field: string; value: unknown; expected: string },
  ) {
    super(message);
  }
}
