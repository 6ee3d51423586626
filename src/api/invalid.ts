// What is wrong with some input, as a person would say it: the first field that is, its value, and what would be right.
import type { ApiErrorBody } from './types.js';

export interface Issue {
  path: readonly PropertyKey[];
  message: string;
  // Names of fields that do not exist.
  keys?: readonly string[] | undefined;
  // What zod adds, by the kind of the issue.
  code?: string | undefined;
  expected?: string | undefined;
  origin?: string | undefined;
  minimum?: number | bigint | undefined;
  maximum?: number | bigint | undefined;
  inclusive?: boolean | undefined;
  values?: readonly unknown[] | undefined;
  issues?: readonly Issue[] | undefined;
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
  const expected = unknown === undefined ? rightWords(issue, value) : `no such field; ${fields}`;
  return {
    code: 'invalid_input',
    message: `${field}: ${expected}`,
    field,
    value: shown(path, value),
    expected,
  };
}

// A secret is not repeated where others may read it.
const SECRET = /password|secret|token|^code$/i;
const shown = (path: readonly PropertyKey[], value: unknown): unknown =>
  typeof value === 'string' && SECRET.test(String(path.at(-1))) ? '…' : short(value);

// A schema's own words where it has some, and ours for what zod says by itself.
function rightWords(issue: Issue | undefined, value: unknown): string {
  if (issue === undefined) return 'something else';
  if (!/^(?:Invalid |Too (?:small|big))/.test(issue.message)) return issue.message;
  const { code, expected = '', origin = '', minimum, maximum, inclusive, values, issues } = issue;
  if (code === 'invalid_type')
    return value === undefined ? `must be given: ${kind(expected)}` : `must be ${kind(expected)}`;
  if (code === 'too_small')
    return origin in COUNTED && Number(minimum) === 1
      ? 'must not be empty'
      : bound(origin, inclusive ? 'at least' : 'more than', minimum);
  if (code === 'too_big') return bound(origin, inclusive ? 'at most' : 'less than', maximum);
  if (code === 'invalid_value') return `must be ${(values ?? []).join(' or ')}`;
  if (code === 'invalid_key' && issues?.[0]) return rightWords(issues[0], value);
  return issue.message;
}

const KINDS: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
const kind = (expected: string): string => KINDS[expected] ?? expected;

const COUNTED: Record<string, string> = { string: ' characters long', array: ' entries long' };
const bound = (origin: string, relation: string, limit: number | bigint | undefined): string =>
  `must be ${relation} ${limit}${COUNTED[origin] ?? ''}`;

// Enough to recognise it by; a whole text is not sent back.
export function short(value: unknown): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > 100 ? `${text.slice(0, 100)}…` : value;
}
