// Failures as the API answers them: a code, a sentence, and for input the field and what would be right.
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type Issue, sayInvalid } from '../api/invalid.js';
import type { ApiErrorBody } from '../api/types.js';
import { MailError } from '../mail/index.js';
import { SessionError } from '../sessions/index.js';
import { DiskFull, Unmet } from '../store/index.js';
import { HostDown, TmuxError } from '../tmux/index.js';

type Detail = ApiErrorBody['error'];

export const failure = <S extends ContentfulStatusCode>(c: Context, status: S, error: Detail) =>
  c.json({ error }, status);

const STATUS = {
  not_found: 404,
  ambiguous: 400,
  name_taken: 409,
  invalid: 400,
  conflict: 409,
  tmux: 409,
  shell: 409,
  no_agent: 409,
  cannot_prove: 409,
  too_late: 409,
  not_free: 409,
  gone: 409,
  key_reused: 409,
  queue_full: 429,
} as const;

export function answerError(
  error: unknown,
  c: Context,
  log: (message: string, details: Record<string, unknown>) => void,
) {
  if (error instanceof SessionError || error instanceof MailError) {
    return failure(c, STATUS[error.problem], { code: error.problem, message: error.message, ...error.input });
  }
  if (error instanceof HostDown) return failure(c, 409, { code: 'host_down', message: error.detail });
  if (error instanceof TmuxError) return failure(c, 409, { code: 'tmux', message: error.message });
  if (error instanceof Unmet)
    return failure(c, 409, { code: 'conflict', message: 'it changed at that moment; look again' });
  if (error instanceof DiskFull) return failure(c, 507, { code: 'disk_full', message: error.message });
  if (isNoSpace(error))
    return failure(c, 507, { code: 'disk_full', message: `the disk is full: ${error.message}; make room` });
  if (error instanceof HTTPException)
    return failure(c, error.status as ContentfulStatusCode, {
      code: 'invalid_input',
      message: `body: ${error.message}`,
      field: 'body',
      expected: 'valid JSON',
    });
  log('request failed', { path: c.req.path, error: error instanceof Error ? error.stack : String(error) });
  return failure(c, 500, {
    code: 'internal',
    message: 'the daemon failed at this; "sm logs" has the details',
  });
}

// Of a file beside the database; its message names it.
const isNoSpace = (error: unknown): error is Error =>
  error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOSPC';

export const answerInvalid = (c: Context, issues: readonly Issue[], input: unknown) =>
  failure(c, 400, sayInvalid(issues, input, { whole: 'body', fields: '/api/v1/openapi.json lists them' }));
