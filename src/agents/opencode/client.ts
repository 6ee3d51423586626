// OpenCode's HTTP server in the process of its TUI, and how it is reached.
import type { z } from 'zod';
import { withoutOption } from '../options.js';
import { readStart } from './start.js';

const ANSWER_MS = 5000;
export const PASSWORD = 'OPENCODE_SERVER_PASSWORD';
const USER = 'OPENCODE_SERVER_USERNAME';

export interface Address {
  host: string;
  port: number;
  // As HTTP wants it; a secret.
  authorization: string | undefined;
  // With a version that we chose to start so.
  isOurs: boolean;
}

// From the command line and the environment of the process itself. Undefined: it listens nowhere that is known.
export function addressOf(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  folder: string,
): Address | undefined {
  const port = Number(withoutOption(argv, '--port').value);
  if (!Number.isInteger(port) || port <= 0) return undefined;
  const named = withoutOption(argv, '--hostname').value;
  const host = named === undefined || named === '0.0.0.0' || named === '::' ? '127.0.0.1' : named;
  const start = readStart(folder, port);
  // The process itself knows best; at first its environment cannot be read.
  const password = env[PASSWORD] ?? start?.password;
  const authorization = password
    ? `Basic ${Buffer.from(`${env[USER] ?? 'opencode'}:${password}`).toString('base64')}`
    : undefined;
  return { host, port, authorization, isOurs: start !== undefined };
}

export type Posted = 'done' | 'refused' | 'absent' | 'unknown';

export class Client {
  constructor(readonly address: Address) {}

  headers(): Record<string, string> {
    const { authorization } = this.address;
    return authorization === undefined ? {} : { authorization };
  }

  // Undefined when there is no such thing; throws when it cannot be asked.
  async get<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
    const response = await this.#fetch('GET', path);
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`its server answered ${response.status}`);
    return schema.parse(await response.json());
  }

  async make<T>(path: string, body: unknown, schema: z.ZodType<T>): Promise<T> {
    const response = await this.#fetch('POST', path, body);
    if (!response.ok) throw new Error(`its server answered ${response.status}`);
    return schema.parse(await response.json());
  }

  // `absent`: nobody listens there, so that nothing was taken.
  async send(method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<Posted> {
    try {
      const { ok, status } = await this.#fetch(method, path, body);
      if (ok) return 'done';
      return status < 500 ? 'refused' : 'unknown';
    } catch (error) {
      return isRefusal(error) ? 'absent' : 'unknown';
    }
  }

  #fetch(method: string, path: string, body?: unknown): Promise<Response> {
    const { host, port } = this.address;
    return fetch(`http://${host}:${port}${path}`, {
      method,
      headers: { ...this.headers(), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Error && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED';
