// Who may talk to the daemon over TCP: a known Host, no foreign Origin, and the token or the cookie of a browser that is
// signed in.
import { isIP } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import { parse } from 'hono/utils/cookie';
import type { ApiErrorBody } from '../api/types.js';
import { failure } from './errors.js';
import { isSecret } from './secrets.js';

// `open`: it listens beyond this machine.
export type Via = { via: 'socket' } | { via: 'tcp'; port: number; address: string; open?: boolean };
export interface Env {
  Bindings: Via;
}

// Browsers do not tell the ports of a machine apart: each daemon there has a cookie of its own.
export const cookieName = (port: number): string => `sm_session_${port}`;

// The headers that decide.
export interface Knock {
  host?: string | undefined;
  origin?: string | undefined;
  authorization?: string | undefined;
  cookie?: string | undefined;
  'x-suremail'?: string | string[] | undefined;
}

export interface Refusal {
  status: 401 | 403;
  error: ApiErrorBody['error'];
}

// What somebody wants: `public` needs no sign-in; `connect` is a WebSocket, which may change things and bears no header of
// a page's own.
export type Purpose = 'public' | 'read' | 'change' | 'connect';

// Undefined: may come in.
export type Doorkeeper = (via: Via, knock: Knock, purpose?: Purpose) => Refusal | undefined;

export interface DoorkeeperOptions {
  // Whether this is the secret of a browser that is signed in.
  holds?: (secret: string) => boolean;
  // Names by which a browser may know this machine, beside the local ones.
  names?: () => readonly string[];
}

// The Unix socket is open to its owner alone, so it needs no token.
export const doorkeeper = (
  token: string,
  { holds = () => false, names = () => [] }: DoorkeeperOptions = {},
): Doorkeeper => {
  const isToken = isSecret(token);
  return (via, knock, purpose = 'connect') => {
    const { host = '', origin, authorization, cookie } = knock;
    if (via.via === 'socket') {
      if (origin === undefined) return undefined;
      return { status: 403, error: { code: 'foreign_origin', message: 'pages may not use the socket' } };
    }
    const local = localHosts(via.port);
    if (!local.includes(host) && !names().includes(host) && !(via.open && isAddress(host, via.port)))
      return foreignHost(host, [...local, ...names()]);
    if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
      return foreignOrigin(origin, host);
    if (purpose === 'public') return undefined;
    // A token decides before a cookie: whoever comes with a wrong one is not let in by the other.
    if (authorization === undefined && holds(cookieOf(via, cookie)))
      return purpose === 'read' ? undefined : forgery(knock, purpose, host);
    const given = /^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '';
    return isToken(given) ? undefined : UNAUTHORIZED;
  };
};

// The secret that a browser holds; '' for none.
export function cookieOf(via: Via, header: string | undefined): string {
  if (via.via === 'socket') return '';
  const name = cookieName(via.port);
  return parse(header ?? '', name)[name] ?? '';
}

// A browser sends its cookie along whichever page asks; only our own page can name its origin and this header.
function forgery(
  { origin, 'x-suremail': header }: Knock,
  purpose: 'change' | 'connect',
  host: string,
): Refusal | undefined {
  if (origin === undefined) return foreignOrigin('', host);
  if (purpose === 'connect' || header === '1') return undefined;
  return {
    status: 403,
    error: {
      code: 'forgery',
      message: 'with a cookie, what changes something needs the header X-Suremail: 1',
      field: 'x-suremail',
      expected: '1',
    },
  };
}

const UNAUTHORIZED: Refusal = {
  status: 401,
  error: {
    code: 'unauthorized',
    message: 'the token is missing or wrong',
    field: 'authorization',
    expected: 'Bearer <the content of the token file in the home folder>',
  },
};

const foreignHost = (host: string, hosts: readonly string[]): Refusal => ({
  status: 403,
  error: {
    code: 'foreign_host',
    message: 'the Host header is not this daemon',
    field: 'host',
    value: host,
    expected: hosts.join(' or '),
  },
});

const foreignOrigin = (origin: string, host: string): Refusal => ({
  status: 403,
  error: {
    code: 'foreign_origin',
    message: 'requests from other pages are refused',
    field: 'origin',
    value: origin,
    expected: `http://${host}`,
  },
});

// `isPublic`: what a browser may have before it is signed in.
export const guard =
  (admit: Doorkeeper, isPublic: (method: string, path: string) => boolean): MiddlewareHandler<Env> =>
  async (c, next) => {
    const { method, path } = c.req;
    const purpose = isPublic(method, path)
      ? 'public'
      : method === 'GET' || method === 'HEAD'
        ? 'read'
        : 'change';
    const knock: Knock = {
      host: c.req.header('host'),
      origin: c.req.header('origin'),
      authorization: c.req.header('authorization'),
      cookie: c.req.header('cookie'),
      'x-suremail': c.req.header('x-suremail'),
    };
    const refusal = admit(c.env, knock, purpose);
    return refusal ? failure(c, refusal.status, refusal.error) : next();
  };

const localHosts = (port: number): string[] => [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];

// A name may be made to lead here by whoever owns it; an address is what it says.
function isAddress(host: string, port: number): boolean {
  const end = `:${port}`;
  if (!host.endsWith(end)) return false;
  return isIP(host.slice(0, -end.length).replace(/^\[(.*)\]$/, '$1')) !== 0;
}
