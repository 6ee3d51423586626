// Who may talk to the daemon over TCP: a known Host, no foreign Origin, and the token.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { ApiErrorBody } from '../api/types.js';
import { failure } from './errors.js';

export type Via = { via: 'socket' } | { via: 'tcp'; port: number };
export interface Env {
  Bindings: Via;
}

// The headers that decide.
export interface Knock {
  host?: string | undefined;
  origin?: string | undefined;
  authorization?: string | undefined;
}

export interface Refusal {
  status: 401 | 403;
  error: ApiErrorBody['error'];
}

// Undefined: may come in.
export type Doorkeeper = (via: Via, knock: Knock) => Refusal | undefined;

// The Unix socket is open to its owner alone, so it needs no token.
export const doorkeeper = (token: string): Doorkeeper => {
  const expected = digest(token);
  return (via, { host = '', origin, authorization = '' }) => {
    if (via.via === 'socket') {
      if (origin === undefined) return undefined;
      return { status: 403, error: { code: 'foreign_origin', message: 'pages may not use the socket' } };
    }
    const hosts = localHosts(via.port);
    if (!hosts.includes(host)) {
      return {
        status: 403,
        error: {
          code: 'foreign_host',
          message: 'the Host header is not this daemon',
          field: 'host',
          value: host,
          expected: hosts.join(' or '),
        },
      };
    }
    if (origin !== undefined && !hosts.some((name) => origin === `http://${name}`)) {
      return {
        status: 403,
        error: {
          code: 'foreign_origin',
          message: 'requests from other pages are refused',
          field: 'origin',
          value: origin,
          expected: `http://${hosts[0]}`,
        },
      };
    }
    const given = /^Bearer (.+)$/.exec(authorization)?.[1] ?? '';
    if (!timingSafeEqual(digest(given), expected)) {
      return {
        status: 401,
        error: {
          code: 'unauthorized',
          message: 'the token is missing or wrong',
          field: 'authorization',
          expected: 'Bearer <the content of the token file in the home folder>',
        },
      };
    }
    return undefined;
  };
};

export const guard =
  (admit: Doorkeeper): MiddlewareHandler<Env> =>
  async (c, next) => {
    const [host, origin, authorization] = ['host', 'origin', 'authorization'].map((name) =>
      c.req.header(name),
    );
    const refusal = admit(c.env, { host, origin, authorization });
    return refusal ? failure(c, refusal.status, refusal.error) : next();
  };

const localHosts = (port: number): string[] => [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];

// Equal lengths for the comparison, whatever was given.
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
