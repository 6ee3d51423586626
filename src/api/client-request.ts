// One request to the daemon, over its Unix socket or its URL, and what its failures mean. Loads nothing but node:http.
import http from 'node:http';
import { MAX_BODY_BYTES, MAX_TEXT_BYTES } from './limits.js';
import type { ApiErrorBody } from './types.js';

export type Transport = { socket: string } | { url: string; token: string };

// What the daemon answered to a request that it did not carry out.
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';

  constructor(
    readonly status: number,
    readonly detail: ApiErrorBody['error'],
  ) {
    super(detail.message);
  }
}

// No daemon answers there.
export class NotRunning extends Error {
  override readonly name = 'NotRunning';

  constructor(
    readonly where: string,
    readonly code: string | undefined,
  ) {
    super(`no daemon answers at ${where}${code ? ` (${code})` : ''}`);
  }

  // Nothing listens there: no request has reached a daemon, so it can be repeated without harm.
  get isAbsent(): boolean {
    return ['ENOENT', 'ENOTDIR', 'ECONNREFUSED'].includes(this.code ?? '');
  }
}

interface Asked {
  method: string;
  path: string;
  // The path without its base: what it names is looked at before anything is sent.
  named: string;
  body: unknown;
  headers: http.OutgoingHttpHeaders;
}

export function request(
  transport: Transport,
  { method, path, named, body, headers: extra }: Asked,
): Promise<http.IncomingMessage> {
  const unnamed = namesNothing(named);
  if (unnamed) return Promise.reject(unnamed);
  const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  if (payload && payload.length > MAX_BODY_BYTES) return Promise.reject(tooLarge(body as object));
  const headers: http.OutgoingHttpHeaders = { ...extra };
  if (payload)
    Object.assign(headers, { 'content-type': 'application/json', 'content-length': payload.length });
  if ('token' in transport) headers.authorization = `Bearer ${transport.token}`;
  const where = 'socket' in transport ? transport.socket : transport.url;
  const target =
    'socket' in transport ? { socketPath: transport.socket, path } : urlTarget(transport.url, path);
  return new Promise((resolve, reject) => {
    const sent = http.request({ ...target, method, headers, agent: false }, (response) => {
      if ((response.statusCode ?? 500) < 400) resolve(response);
      else readAll(response).then((text) => reject(failure(response.statusCode ?? 500, text)), reject);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => reject(new NotRunning(where, error.code)));
    sent.end(payload);
  });
}

type Query = Record<string, string | number | boolean | undefined>;

export const part = encodeURIComponent;

const KNOWN: Record<string, string> = {
  session: 'its name or id; "sm ls" lists them',
  message: 'the id of a message; "sm history" lists them',
  draft: 'the id of a draft; "sm drafts --all" lists them',
  agent: 'its name; "sm agents" lists them',
  reminder: 'the id of a reminder; "sm reminders" lists them',
  group: 'its name; "sm group" lists them',
  inbox: 'the id of mail in the inbox; "sm inbox --all" lists it',
};

// Nothing has such a name, and in a path it would mean another one: said as the daemon would say it.
function namesNothing(path: string): ApiFailure | undefined {
  const [, many, field = many, value] =
    /^\/(?:(session|message|draft|agent|group|reminder)s|(inbox))\/(\.{0,2})(?=[/?]|$)/.exec(path) ?? [];
  if (field === undefined) return undefined;
  return new ApiFailure(404, {
    code: 'not_found',
    message:
      field === 'inbox' ? `nothing in the inbox has the id "${value}"` : `no such ${field}: "${value}"`,
    field,
    value,
    expected: KNOWN[field],
  });
}

// Not sent: the daemon refuses it before it has read it all, and then the pipe may break before its answer is read.
function tooLarge(body: object): ApiFailure {
  const bytes = (value: unknown): number => JSON.stringify(value)?.length ?? 0;
  const [field = 'body'] = Object.keys(body).sort(
    (a, b) => bytes(body[b as keyof typeof body]) - bytes(body[a as keyof typeof body]),
  );
  return new ApiFailure(413, {
    code: 'too_large',
    message: `${field} is too large: the request is over ${MAX_BODY_BYTES} bytes`,
    field,
    expected: `a request of at most ${MAX_BODY_BYTES} bytes, and in it a text of at most ${MAX_TEXT_BYTES}`,
  });
}

function urlTarget(url: string, path: string): http.RequestOptions {
  const { hostname, port } = new URL(url);
  return { hostname, port, path };
}

export function query(values: Query): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined);
  return pairs.length ? `?${pairs.map(([key, value]) => `${key}=${part(String(value))}`).join('&')}` : '';
}

export async function readAll(stream: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

export function failure(status: number, text: string): ApiFailure {
  try {
    return new ApiFailure(status, (JSON.parse(text) as ApiErrorBody).error);
  } catch {
    return new ApiFailure(status, {
      code: 'unexpected_answer',
      message: `the daemon answered ${status} ${
        text.trim() === '' ? 'without a word; "sm logs" may say why' : `and no JSON: ${text.slice(0, 200)}`
      }`,
    });
  }
}
