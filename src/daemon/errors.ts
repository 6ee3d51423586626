// Failures as the API answers them: a code, a sentence, and for input the field and what would be right.
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ApiErrorBody } from '../api/types.js';
import { MailError } from '../mail/index.js';
import { SessionError } from '../sessions/index.js';
import { Unmet } from '../store/index.js';
import { TmuxError } from '../tmux/index.js';

type Detail = ApiErrorBody['error'];

export const failure = (c: Context, status: ContentfulStatusCode, error: Detail) => c.json({ error }, status);

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
  if (error instanceof TmuxError) return failure(c, 409, { code: 'tmux', message: error.message });
  if (error instanceof Unmet)
    return failure(c, 409, { code: 'conflict', message: 'it changed at that moment; look again' });
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

interface Issue {
  path: PropertyKey[];
  message: string;
  // Names of fields that do not exist.
  keys?: readonly string[] | undefined;
}

// The first thing that is wrong, as a person would say it.
export function answerInvalid(c: Context, issues: readonly Issue[], input: unknown) {
  const [issue] = issues;
  const unknown = issue?.keys?.[0];
  const path = unknown === undefined ? (issue?.path ?? []) : [...(issue?.path ?? []), unknown];
  const field = path.map(String).join('.') || 'body';
  const value = path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  );
  const expected =
    unknown === undefined
      ? (issue?.message ?? 'something else')
      : 'no such field; /api/v1/openapi.json lists them';
  return failure(c, 400, {
    code: 'invalid_input',
    message: `${field}: ${expected}`,
    field,
    value: short(value),
    expected,
  });
}

// Enough to recognise it by; a whole text is not sent back.
function short(value: unknown): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > 100 ? `${text.slice(0, 100)}…` : value;
}
