// Getting into the dashboard: one-time links, password and token, the cookie and what it may do, and the page itself.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { until } from './support/tmux.js';
import { World } from './support/world.js';

let world: World;
let url: URL;
let token: string;
beforeAll(async () => {
  world = await World.start();
  await look();
});
afterAll(() => world.dispose());

async function look(): Promise<void> {
  url = new URL((await world.client.status()).url);
  token = fs.readFileSync(path.join(world.home, 'token'), 'utf8').trim();
}

type Asked = { method?: string; body?: unknown; headers?: Record<string, string> };
const ask = async (where: string, { method = 'GET', body, headers = {} }: Asked = {}) => {
  const answer = await fetch(new URL(where, url), {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const read = (): { error: { code: string; message: string } } => JSON.parse(text);
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    code: text.includes('"error"') ? read().error.code : '',
  };
};
const signIn = (body: unknown, headers: Record<string, string> = {}) =>
  ask('/api/v1/sign-in', { method: 'POST', body, headers: { origin: url.origin, ...headers } });
const cookieOf = (answer: { headers: Headers }): string =>
  (answer.headers.get('set-cookie') ?? '').split(';')[0] as string;
const codeOf = async (): Promise<string> =>
  (await world.client.signInLink()).url.split('#code=')[1] as string;
const page = (cookie: string): Record<string, string> => ({ cookie, origin: url.origin, 'x-suremail': '1' });

describe('a one-time link', () => {
  test('leads to this daemon and keeps its code from every server', async () => {
    const link = await world.client.signInLink();
    expect(link.url).toMatch(new RegExp(`^${url.origin}/sign-in#code=[\\w-]{43}$`));
    expect(Date.parse(link.expires_at) - Date.now()).toBeLessThanOrEqual(60_000);
  });

  test('signs in once, with a cookie that no script can read and no other page can use', async () => {
    const code = await codeOf();
    const answer = await signIn({ code });
    expect(answer.status).toBe(200);
    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      new RegExp(`^sm_session_${url.port}=[\\w-]{43}; Path=/; Expires=[^;]+; HttpOnly; SameSite=Strict$`),
    );
    expect((await ask('/api/v1/sessions', { headers: { cookie: cookieOf(answer) } })).status).toBe(200);
    const again = await signIn({ code });
    expect([again.status, again.code]).toEqual([401, 'link_used']);
  });

  test('over https the cookie is for https alone', async () => {
    const answer = await signIn({ code: await codeOf() }, { origin: `https://${url.host}` });
    expect(answer.headers.get('set-cookie')).toContain('; Secure');
  });

  test('is made for the owner alone: not for a stranger, nor for a browser', async () => {
    expect((await ask('/api/v1/sign-in/links', { method: 'POST' })).status).toBe(401);
    const headers = page(cookieOf(await signIn({ code: await codeOf() })));
    const refused = await ask('/api/v1/sign-in/links', { method: 'POST', headers });
    expect([refused.status, refused.code]).toEqual([403, 'owner_only']);
    const bearer = { authorization: `Bearer ${token}` };
    expect((await ask('/api/v1/sign-in/links', { method: 'POST', headers: bearer })).status).toBe(201);
  });
});

describe('with a cookie', () => {
  let cookie: string;
  beforeEach(async () => {
    cookie = cookieOf(await signIn({ code: await codeOf() }));
  });
  const pause = (headers: Record<string, string>) =>
    ask('/api/v1/paused', { method: 'PUT', body: { paused: false }, headers });

  test('what changes something needs the header and the origin of our own page', async () => {
    expect((await pause(page(cookie))).status).toBe(200);
    expect((await pause({ cookie, origin: url.origin })).code).toBe('forgery');
    expect((await pause({ cookie, 'x-suremail': '1' })).code).toBe('foreign_origin');
    expect((await pause({ ...page(cookie), origin: 'http://evil.example' })).code).toBe('foreign_origin');
  });

  test('a wrong token is not made good by a right cookie', async () => {
    const headers = { cookie, authorization: 'Bearer wrong' };
    expect((await ask('/api/v1/sessions', { headers })).status).toBe(401);
  });

  test('the feed comes over WebSocket, to our own page alone', async () => {
    const knock = (headers: Record<string, string>): Promise<number> =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`ws://${url.host}/api/v1/ws`, { headers });
        socket.once('open', () => {
          socket.terminate();
          resolve(101);
        });
        socket.once('unexpected-response', (_, { statusCode = 0 }) => resolve(statusCode));
        socket.on('error', reject);
      });
    expect(await knock({ cookie, origin: url.origin })).toBe(101);
    expect(await knock({ cookie })).toBe(403);
    expect(await knock({ cookie, origin: 'http://evil.example' })).toBe(403);
  });

  test('who is signed in is told; signing out ends it', async () => {
    const who = await ask('/api/v1/sign-in', { headers: { cookie } });
    expect(JSON.parse(who.text)).toEqual({ by: 'cookie', password: false });
    expect((await ask('/api/v1/sign-in')).status).toBe(401);
    const out = await ask('/api/v1/sign-in', { method: 'DELETE', headers: page(cookie) });
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0');
    expect((await ask('/api/v1/sign-in', { headers: { cookie } })).status).toBe(401);
  });

  test('what is open ends with it, whichever browser is signed out', async () => {
    const other = cookieOf(await signIn({ code: await codeOf() }));
    const connect = async (headers: Record<string, string>): Promise<{ isClosed: boolean }> => {
      const socket = new WebSocket(`ws://${url.host}/api/v1/ws`, { headers });
      const state = { isClosed: false };
      socket.once('close', () => {
        state.isClosed = true;
      });
      await new Promise((resolve, reject) => {
        socket.once('open', resolve);
        socket.once('error', reject);
      });
      return state;
    };
    const listen = async (headers: Record<string, string>): Promise<{ isClosed: boolean }> => {
      const { body } = await fetch(new URL('/api/v1/events', url), { headers });
      const reader = body?.getReader();
      await reader?.read();
      const state = { isClosed: false };
      void (async () => {
        while (!(await reader?.read().catch(() => ({ done: true })))?.done);
        state.isClosed = true;
      })();
      return state;
    };
    const own = await connect({ cookie, origin: url.origin });
    const reading = await listen({ cookie });
    const otherReading = await listen({ cookie: other });
    const programReading = await listen({ authorization: `Bearer ${token}` });
    const others = await connect({ cookie: other, origin: url.origin });
    const program = await connect({ authorization: `Bearer ${token}` });
    expect((await ask('/api/v1/sign-in', { method: 'DELETE', headers: page(cookie) })).status).toBe(200);
    await until(() => own.isClosed && reading.isClosed, 'the connections to end');
    const stay = [others, otherReading, program, programReading];
    expect(stay.map(({ isClosed }) => isClosed)).toEqual([false, false, false, false]);
    await world.client.removePassword();
    await until(() => others.isClosed && otherReading.isClosed, 'all of them to end');
    expect([program.isClosed, programReading.isClosed]).toEqual([false, false]);
  });

  test('a daemon that was killed knows it again, from its hash alone', async () => {
    await world.kill9();
    await world.startDaemon({ SM_PORT: url.port });
    await look();
    expect((await ask('/api/v1/sessions', { headers: { cookie } })).status).toBe(200);
    const files = fs.readdirSync(world.home).filter((name) => name.startsWith('suremail.db'));
    expect(files).not.toEqual([]);
    const secret = cookie.split('=')[1] as string;
    for (const name of files)
      expect(fs.readFileSync(path.join(world.home, name)).includes(secret), name).toBe(false);
  });
});

describe('password and token', () => {
  test('the token of the home folder signs in, and nothing that is close to it', async () => {
    expect((await signIn({ token })).status).toBe(200);
    expect((await signIn({ token: `${token}x` })).code).toBe('wrong_token');
  });

  test('a password has to be set first; a new one signs everybody out', async () => {
    expect((await signIn({ password: 'correct horse' })).code).toBe('wrong_password');
    const before = cookieOf(await signIn({ token }));
    await world.client.setPassword('correct horse');
    expect((await ask('/api/v1/sessions', { headers: { cookie: before } })).status).toBe(401);
    expect((await signIn({ password: 'correct horse' })).status).toBe(200);
    expect((await signIn({ password: 'correct hors' })).code).toBe('wrong_password');
    const headers = page(cookieOf(await signIn({ password: 'correct horse' })));
    const body = { password: 'battery staple' };
    expect((await ask('/api/v1/sign-in/password', { method: 'PUT', body, headers })).code).toBe('owner_only');
    await expect(world.client.setPassword('short')).rejects.toMatchObject({
      detail: { code: 'invalid_input', field: 'password' },
    });
    await world.client.removePassword();
    expect((await signIn({ password: 'correct horse' })).code).toBe('wrong_password');
  });

  test('neither two things at once nor none', async () => {
    expect((await signIn({ token, code: 'x' })).status).toBe(400);
    expect((await signIn({})).status).toBe(400);
  });
});

describe('the page', () => {
  test('its files are for anyone, each with what it may do', async () => {
    for (const where of ['/', '/sign-in', '/s/some/view']) {
      const { status, headers } = await ask(where);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-cache');
    }
  });

  test('no path leads out of its folder, and none hides the API', async () => {
    for (const where of ['/..%2f..%2fpackage.json', '/assets/../../package.json', '/%2e%2e/package.json'])
      expect((await ask(where)).text).not.toContain('"suremail"');
    expect((await ask('/api/v1/sessions')).status).toBe(401);
    expect((await ask('/metrics')).status).toBe(401);
    expect((await ask('/sessions/x/send-queue')).status).toBe(401);
  });
});

// The last ones: they use up what this address may fail.
describe('whoever tries too often', () => {
  test('is told to wait; what is right and cannot be guessed comes in all the same', async () => {
    await world.client.setPassword('correct horse');
    let refused = await signIn({ code: 'nonsense' });
    for (let n = 0; n < 20 && refused.status === 401; n++) refused = await signIn({ code: 'nonsense' });
    expect([refused.status, refused.code]).toEqual([429, 'too_many_attempts']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await signIn({ token: 'nonsense' })).status).toBe(429);
    // A password may have been guessed.
    expect((await signIn({ password: 'correct horse' })).status).toBe(429);
    expect((await signIn({ token })).status).toBe(200);
    expect((await signIn({ code: await codeOf() })).status).toBe(200);
    const bearer = { authorization: `Bearer ${token}` };
    expect((await ask('/api/v1/sessions', { headers: bearer })).status).toBe(200);
  });
});
