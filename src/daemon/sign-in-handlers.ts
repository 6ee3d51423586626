// Handlers for signing in and out: a secret is checked, counted where it is wrong, and answered with a cookie.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import * as routes from '../api/routes.js';
import type { SignInRequest } from '../api/sign-in-schemas.js';
import { COOKIE, type Env } from './auth.js';
import { failure } from './errors.js';
import type { Gateway } from './exposure.js';
import { failed, forgiven, NO_ATTEMPTS, waitFor } from './failed-attempts.js';
import type { Given, SignIns } from './sign-ins.js';

export interface SignInDeps {
  signIns: SignIns;
  gateway: Gateway;
  token: string;
  url: () => string;
  clock: () => number;
  log: (message: string, details: Record<string, unknown>) => void;
}

export function addSignInHandlers(app: OpenAPIHono<Env>, deps: SignInDeps): void {
  const { signIns, clock } = deps;
  let attempts = NO_ATTEMPTS;

  app.openapi(routes.makeSignInLink, (c) => {
    if (letInBy(c) === 'cookie') return failure(c, 403, OWNER_ONLY);
    const { code, expiresAt } = signIns.makeLink();
    // Behind the #: it is sent to no server and stands in no log.
    const url = `${deps.url()}/sign-in#code=${code}`;
    return c.json({ url, expires_at: new Date(expiresAt).toISOString() }, 201);
  });

  app.openapi(routes.signIn, async (c) => {
    const given = c.req.valid('json');
    const address = c.env.via === 'tcp' ? c.env.address : 'socket';
    const tried = 'password' in given ? 'guess' : 'secret';
    const waitMs = waitFor(attempts, address, tried, clock());
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      c.header('retry-after', String(seconds));
      return failure(c, 429, {
        code: 'too_many_attempts',
        message: `too many failed attempts to sign in; try again in ${seconds} s`,
      });
    }
    // Counted before it is known: many at once are many.
    const now = clock();
    attempts = failed(attempts, address, now);
    if (!(await isRight(deps, given))) {
      deps.log('sign-in refused', { address, with: Object.keys(given)[0] });
      return failure(c, 401, refusal(given, signIns.hasPassword));
    }
    attempts = forgiven(attempts, address, now);
    give(c, await signIns.begin());
    return c.json({ by: 'cookie' as const, password: signIns.hasPassword }, 200);
  });

  app.openapi(routes.signedIn, async (c) => {
    const by = letInBy(c);
    const next = by === 'cookie' ? await signIns.renewed(getCookie(c, COOKIE) ?? '') : undefined;
    if (next) give(c, next);
    return c.json({ by, password: signIns.hasPassword }, 200);
  });

  app.openapi(routes.signOut, async (c) => {
    await signIns.end(getCookie(c, COOKIE) ?? '');
    deleteCookie(c, COOKIE, { path: '/' });
    return c.json({ signed_in: false as const }, 200);
  });

  app.openapi(routes.exposure, (c) => c.json(deps.gateway.exposure, 200));

  app.openapi(routes.expose, async (c) => {
    if (letInBy(c) === 'cookie') return failure(c, 403, OWNER_ONLY);
    const { host, sign_in } = c.req.valid('json');
    return c.json(await deps.gateway.open(host, sign_in), 200);
  });

  app.openapi(routes.setPassword, async (c) => {
    if (letInBy(c) === 'cookie') return failure(c, 403, OWNER_ONLY);
    await signIns.setPassword(c.req.valid('json').password);
    return c.json({ password: true as const }, 200);
  });

  app.openapi(routes.removePassword, async (c) => {
    if (letInBy(c) === 'cookie') return failure(c, 403, OWNER_ONLY);
    await signIns.setPassword(undefined);
    return c.json({ password: false as const }, 200);
  });
}

const OWNER_ONLY = {
  code: 'owner_only',
  message: 'a browser may not do this: it takes the token of the home folder, or the Unix socket (sm dash)',
};

async function isRight(
  { signIns, token }: SignInDeps,
  given: z.infer<typeof SignInRequest>,
): Promise<boolean> {
  if ('code' in given) return signIns.takeCode(given.code);
  if ('password' in given) return signIns.isPassword(given.password);
  return timingSafeEqual(digest(given.token), digest(token));
}

function refusal(given: z.infer<typeof SignInRequest>, hasPassword: boolean) {
  if ('code' in given)
    return {
      code: 'link_used',
      message: 'this link was used already, or is older than a minute; "sm dash" makes another',
      field: 'code',
    };
  if ('token' in given)
    return {
      code: 'wrong_token',
      message: 'this is not the token',
      field: 'token',
      expected: 'the content of the token file in the home folder',
    };
  return {
    code: 'wrong_password',
    message: hasPassword ? 'this is not the password' : 'no password is set; "sm dash --password" sets one',
    field: 'password',
  };
}

// The guard has let the request in: a token decides before a cookie.
const letInBy = (c: Context<Env>): 'socket' | 'token' | 'cookie' =>
  c.env.via === 'socket' ? 'socket' : c.req.header('authorization') === undefined ? 'cookie' : 'token';

function give(c: Context, { secret, expiresAt }: Given): void {
  setCookie(c, COOKIE, secret, {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    // Behind a proxy that speaks TLS the page says so.
    secure: c.req.header('origin')?.startsWith('https:') ?? false,
    expires: new Date(expiresAt),
  });
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
