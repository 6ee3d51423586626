// Handlers for signing in and out: a secret is checked, counted where it is wrong, and answered with a cookie.
import type { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import * as routes from '../api/routes.js';
import type { SignInRequest } from '../api/sign-in-schemas.js';
import { cookieName, cookieOf, type Env } from './auth.js';
import { failure } from './errors.js';
import type { Gateway } from './exposure.js';
import { failed, forgiven, NO_ATTEMPTS, waitFor } from './failed-attempts.js';
import type { Given, SignIns } from './sign-ins.js';

export interface SignInDeps {
  signIns: SignIns;
  gateway: Gateway;
  isToken: (given: string) => boolean;
  url: () => string;
  clock: () => number;
  log: (message: string, details: Record<string, unknown>) => void;
}

export function addSignInHandlers(app: OpenAPIHono<Env>, deps: SignInDeps): void {
  const { signIns, isToken, clock } = deps;
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
    // What was begun with the password before, or with a link of that time, is over with it.
    const since = 'token' in given ? undefined : signIns.generation;
    const enter = async (): Promise<Given | undefined> => signIns.begin({ secure: isOverTls(c), since });
    // What cannot be guessed is let in whatever others have tried, also from its own address, which may be a proxy's.
    const isKnown = 'code' in given ? signIns.takeCode(given.code) : 'token' in given && isToken(given.token);
    let made = isKnown ? await enter() : undefined;
    if (!made) {
      const now = clock();
      const waitMs = waitFor(attempts, address, 'password' in given ? 'guess' : 'secret', now);
      if (waitMs > 0) return tooMany(c, waitMs);
      // Counted before it is known: many at once are many.
      attempts = failed(attempts, address, now);
      if ('password' in given && (await signIns.isPassword(given.password))) made = await enter();
      if (!made) {
        deps.log('sign-in refused', { address, with: Object.keys(given)[0] });
        return failure(c, 401, refusal(given, signIns.hasPassword));
      }
      attempts = forgiven(attempts, address, now);
    }
    give(c, made);
    return c.json({ by: 'cookie' as const, password: signIns.hasPassword }, 200);
  });

  app.openapi(routes.signedIn, async (c) => {
    const by = letInBy(c);
    const next = by === 'cookie' ? await signIns.renewed(heldBy(c)) : undefined;
    if (next) give(c, next);
    return c.json({ by, password: signIns.hasPassword }, 200);
  });

  app.openapi(routes.signOut, async (c) => {
    await signIns.end(heldBy(c));
    deleteCookie(c, nameFor(c), { path: '/' });
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
    await deps.gateway.passwordRemoved();
    return c.json({ password: false as const }, 200);
  });
}

const OWNER_ONLY = {
  code: 'owner_only',
  message: 'a browser may not do this: it takes the token of the home folder, or the Unix socket (sm dash)',
};

function tooMany(c: Context<Env>, waitMs: number) {
  const seconds = Math.ceil(waitMs / 1000);
  c.header('retry-after', String(seconds));
  return failure(c, 429, {
    code: 'too_many_attempts',
    message: `too many failed attempts to sign in; try again in ${seconds} s`,
  });
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

const nameFor = (c: Context<Env>): string => cookieName(c.env.via === 'tcp' ? c.env.port : 0);
const heldBy = (c: Context<Env>): string => cookieOf(c.env, c.req.header('cookie'));

// Behind a proxy that speaks TLS the page says so, where it changes something; a mere question bears no origin.
const isOverTls = (c: Context<Env>): boolean => c.req.header('origin')?.startsWith('https:') ?? false;

function give(c: Context<Env>, { secret, expiresAt, secure }: Given): void {
  setCookie(c, nameFor(c), secret, {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    secure,
    expires: new Date(expiresAt),
  });
}
