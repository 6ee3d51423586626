// One request to the daemon that served this page: JSON in, JSON out, and what its failures mean.
import type { ApiErrorBody } from '../../../src/api/types.js';

const API = '/api/v1';

export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';

  constructor(
    readonly status: number,
    readonly detail: ApiErrorBody['error'],
  ) {
    super(detail.message);
  }
}

// What a person reads of a failure: what is wrong, and what would be right.
export function sentence(error: unknown): string {
  if (!(error instanceof ApiFailure)) return error instanceof Error ? error.message : String(error);
  const { message, expected } = error.detail;
  return expected && !message.includes(expected) ? `${message}; expected ${expected}` : message;
}

let signedOut = (): void => {};

// Told whenever the daemon says that nobody is signed in here.
export function onSignedOut(listener: () => void): void {
  signedOut = listener;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export async function ask<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const answer = await send(method, path, body);
  return answer.status === 204 ? (undefined as T) : ((await answer.json()) as T);
}

export async function send(
  method: Method,
  path: string,
  body?: unknown,
  extra: Record<string, string> = {},
): Promise<Response> {
  // A foreign page cannot set this header without being asked first, which the daemon refuses.
  const headers: Record<string, string> = { ...extra, 'x-suremail': '1' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const answer = await fetch(`${API}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Error('the daemon does not answer');
  });
  if (answer.ok || answer.status === 304) return answer;
  const failure = await failureOf(answer);
  if (answer.status === 401) signedOut();
  throw failure;
}

async function failureOf(answer: Response): Promise<ApiFailure> {
  const text = await answer.text();
  try {
    return new ApiFailure(answer.status, (JSON.parse(text) as ApiErrorBody).error);
  } catch {
    return new ApiFailure(answer.status, {
      code: 'unexpected_answer',
      message: `the daemon answered ${answer.status}: ${text.slice(0, 200) || 'nothing'}`,
    });
  }
}

type Query = Record<string, string | number | boolean | undefined>;

export function query(values: Query): string {
  const pairs = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${encodeURIComponent(String(value))}`],
  );
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}
