// Who may talk to the daemon over TCP: a known Host, no foreign Origin, and the token.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { failure } from './errors.js';

export type Via = { via: 'socket' } | { via: 'tcp'; port: number };
export interface Env {
  Bindings: Via;
}

// The Unix socket is open to its owner alone, so it needs no token.
export const guard = (token: string): MiddlewareHandler<Env> => {
  const expected = digest(token);
  return async (c, next) => {
    const origin = c.req.header('origin');
    if (c.env.via === 'socket') {
      if (origin !== undefined)
        return failure(c, 403, { code: 'foreign_origin', message: 'pages may not use the socket' });
      return next();
    }
    const hosts = localHosts(c.env.port);
    const host = c.req.header('host') ?? '';
    if (!hosts.includes(host)) {
      return failure(c, 403, {
        code: 'foreign_host',
        message: 'the Host header is not this daemon',
        field: 'host',
        value: host,
        expected: hosts.join(' or '),
      });
    }
    if (origin !== undefined && !hosts.some((name) => origin === `http://${name}`)) {
      return failure(c, 403, {
        code: 'foreign_origin',
        message: 'requests from other pages are refused',
        field: 'origin',
        value: origin,
        expected: `http://${hosts[0]}`,
      });
    }
    const given = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
    if (!timingSafeEqual(digest(given), expected)) {
      return failure(c, 401, {
        code: 'unauthorized',
        message: 'the token is missing or wrong',
        field: 'authorization',
        expected: 'Bearer <the content of the token file in the home folder>',
      });
    }
    return next();
  };
};

const localHosts = (port: number): string[] => [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];

// Equal lengths for the comparison, whatever was given.
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
