// What is wrong with some input, as a person would say it: the first field that is, its value, and what would be right.
import type { ApiErrorBody } from './types.js';

export interface Issue {
  path: readonly PropertyKey[];
  message: string;
  // Names of fields that do not exist.
  keys?: readonly string[] | undefined;
}

// `whole`: what the input is called. `fields`: where all fields are listed.
export function sayInvalid(
  issues: readonly Issue[],
  input: unknown,
  { whole, fields }: { whole: string; fields: string },
): ApiErrorBody['error'] {
  const [issue] = issues;
  const unknown = issue?.keys?.[0];
  const path = unknown === undefined ? (issue?.path ?? []) : [...(issue?.path ?? []), unknown];
  const field = path.map(String).join('.') || whole;
  const value = path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  );
  const expected = unknown === undefined ? (issue?.message ?? 'something else') : `no such field; ${fields}`;
  return { code: 'invalid_input', message: `${field}: ${expected}`, field, value: short(value), expected };
}

// Enough to recognise it by; a whole text is not sent back.
export function short(value: unknown): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > 100 ? `${text.slice(0, 100)}…` : value;
}
