// The endpoints through which a browser is let in.
import { createRoute, z } from '@hono/zod-openapi';
import { body, failures, json } from './route-parts.js';
import { ApiError } from './schemas.js';
import * as s from './sign-in-schemas.js';

const ownerOnly = { 403: json(ApiError, 'only with the token or over the Unix socket') };

export const makeSignInLink = createRoute({
  method: 'post',
  path: '/sign-in/links',
  summary: 'A link that signs one browser in, once, within a minute; the code stands behind the #',
  responses: { 201: json(s.SignInLink, 'made'), ...ownerOnly },
});

export const signIn = createRoute({
  method: 'post',
  path: '/sign-in',
  summary: 'Sign in with the code of a link, the password or the token; sets the cookie sm_session_PORT',
  security: [],
  request: body(s.SignInRequest),
  responses: {
    200: json(s.SignedIn, 'signed in'),
    400: failures[400],
    401: json(ApiError, 'it does not let in'),
    429: json(ApiError, 'too many failed attempts; Retry-After says for how long'),
  },
});

export const signedIn = createRoute({
  method: 'get',
  path: '/sign-in',
  summary: 'By what the request was let in; gives a cookie that is a day old a successor',
  responses: { 200: json(s.SignedIn, 'let in'), 401: json(ApiError, 'not signed in') },
});

export const signOut = createRoute({
  method: 'delete',
  path: '/sign-in',
  summary: 'Sign this browser out',
  responses: { 200: json(z.object({ signed_in: z.literal(false) }), 'signed out') },
});

export const setPassword = createRoute({
  method: 'put',
  path: '/sign-in/password',
  summary: 'Set the password for signing in; every browser is signed out',
  request: body(s.PasswordRequest),
  responses: { 200: json(z.object({ password: z.literal(true) }), 'set'), 400: failures[400], ...ownerOnly },
});

export const removePassword = createRoute({
  method: 'delete',
  path: '/sign-in/password',
  summary:
    'Let no password sign in any more; every browser is signed out, and where it was to be used the dashboard is closed',
  responses: { 200: json(z.object({ password: z.literal(false) }), 'removed'), ...ownerOnly },
});

export const exposure = createRoute({
  method: 'get',
  path: '/exposure',
  summary: 'At which addresses the dashboard can be reached',
  responses: { 200: json(s.Exposure, 'as it is now') },
});

export const expose = createRoute({
  method: 'put',
  path: '/exposure',
  summary:
    'Let the dashboard be reached at another address of this machine, until the daemon stops; 127.0.0.1: at no other any more',
  request: body(s.ExposeRequest),
  responses: { 200: json(s.Exposure, 'as it is now'), ...failures, ...ownerOnly },
});
