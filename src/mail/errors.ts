// What cannot be done with a message, and what would be right.

export type MailProblem =
  | 'not_found'
  | 'ambiguous'
  | 'shell'
  | 'no_agent'
  | 'invalid'
  | 'cannot_prove'
  | 'too_late'
  | 'conflict'
  // The input box is not free for what was to be put there.
  | 'not_free'
  | 'gone'
  // The same key was used for something else.
  | 'key_reused'
  // Too much waits for that session already.
  | 'queue_full';

export class MailError extends Error {
  override readonly name = 'MailError';

  constructor(
    readonly problem: MailProblem,
    message: string,
    readonly input?: { field: string; value: unknown; expected: string },
  ) {
    super(message);
  }
}
