// Signing in over HTTP: what a day later comes with the cookie, and what a new password ends that was on its way.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { OpenAPIHono } from '@hono/zod-openapi';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Store } from '../store/index.js';
import type { Env, Via } from './auth.js';
import type { Gateway } from './exposure.js';
import { isSecret } from './secrets.js';
import { addSignInHandlers } from './sign-in-handlers.js';
import { RENEW_MS, SignIns } from './sign-ins.js';

const WRITER = new URL('../../dist/store/writer-thread.js', import.meta.url);
const VIA: Via = { via: 'tcp', port: 4747, address: '192.0.2.9' };
let folder: string;
let store: Store;
let now: number;
let signIns: SignIns;
let app: OpenAPIHono<Env>;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sms-'));
  store = Store.open(path.join(folder, 'db'), { writerThread: WRITER });
  now = 1_000_000;
  signIns = new SignIns(store, () => now);
  app = new OpenAPIHono<Env>();
  addSignInHandlers(app, {
    signIns,
    gateway: {} as Gateway,
    isToken: isSecret('the token'),
    url: () => 'http://127.0.0.1:4747',
    clock: () => now,
    log: () => {},
  });
});
afterEach(async () => {
  await store.close();
  fs.rmSync(folder, { recursive: true });
});

const signIn = (body: unknown, origin = 'http://127.0.0.1:4747'): Promise<Response> =>
  Promise.resolve(
    app.request(
      '/sign-in',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify(body),
      },
      VIA,
    ),
  );
// As a browser does: without an origin.
const ask = async (cookie: string): Promise<Response> =>
  app.request('/sign-in', { headers: { cookie } }, VIA);
const setCookie = (answer: Response): string => answer.headers.get('set-cookie') ?? '';

test('a cookie for https alone has successors for https alone, and another has others', async () => {
  for (const [origin, isSecure] of [
    ['https://devbox.lan', true],
    ['http://127.0.0.1:4747', false],
  ] as const) {
    const first = setCookie(await signIn({ token: 'the token' }, origin));
    expect(first.includes('; Secure')).toBe(isSecure);
    const cookie = first.split(';')[0] as string;
    expect(setCookie(await ask(cookie))).toBe('');
    now += RENEW_MS;
    const next = setCookie(await ask(cookie));
    expect(next).toMatch(/^sm_session_4747=[\w-]{43};/);
    expect(next.startsWith(`${cookie};`)).toBe(false);
    expect(next.includes('; Secure')).toBe(isSecure);
  }
});

test('who is being let in by a password that is replaced meanwhile is not', async () => {
  await signIns.setPassword('correct horse');
  // In this order they wait for their turn: the new one is kept before the old one is found right.
  const changed = signIns.setPassword('battery staple');
  const late = await signIn({ password: 'correct horse' });
  await changed;
  expect([late.status, setCookie(late)]).toEqual([401, '']);
  expect((await signIn({ password: 'battery staple' })).status).toBe(200);
});

test('what is wrong too often is kept out, and what is right and cannot be guessed is not', async () => {
  await signIns.setPassword('correct horse');
  for (let n = 0; n < 10; n++) expect((await signIn({ code: 'nonsense' })).status).toBe(401);
  for (const wrong of [{ code: 'nonsense' }, { token: 'nonsense' }, { password: 'correct horse' }])
    expect((await signIn(wrong)).status).toBe(429);
  expect((await signIn({ token: 'the token' })).status).toBe(200);
  expect((await signIn({ code: signIns.makeLink().code })).status).toBe(200);
  now += 5 * 60_000;
  expect((await signIn({ password: 'correct horse' })).status).toBe(200);
});
