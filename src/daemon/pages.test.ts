// The files of the dashboard, as they are served: hashed ones for ever, the page anew each time, nothing else.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Env } from './auth.js';
import { addPages, isPublic } from './pages.js';

let folder: string;
const app = new Hono<Env>();
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smp-'));
  fs.writeFileSync(path.join(folder, 'secret.txt'), 'secret');
  fs.mkdirSync(path.join(folder, 'web/assets'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'web/index.html'), '<!doctype html>');
  fs.writeFileSync(path.join(folder, 'web/favicon.svg'), '<svg/>');
  fs.writeFileSync(path.join(folder, 'web/assets/main-1a2b.js'), 'run()');
  addPages(app, path.join(folder, 'web'));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

const get = async (where: string) => {
  const answer = await app.request(where);
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    cache: answer.headers.get('cache-control'),
    policy: answer.headers.get('content-security-policy'),
    text: await answer.text(),
  };
};

test('a hashed file is kept for ever, the page is asked for anew', async () => {
  expect(await get('/assets/main-1a2b.js')).toMatchObject({
    status: 200,
    type: 'text/javascript; charset=utf-8',
    cache: 'public, max-age=31536000, immutable',
    text: 'run()',
  });
  for (const where of ['/', '/sign-in', '/sessions-view/api', '/index.html'])
    expect(await get(where)).toMatchObject({ status: 200, cache: 'no-cache', text: '<!doctype html>' });
  expect(await get('/favicon.svg')).toMatchObject({ type: 'image/svg+xml', cache: 'no-cache' });
});

test('scripts come from files alone, and nobody frames it', async () => {
  const { policy } = await get('/');
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
});

test('what is not there is not found, and nothing outside is', async () => {
  for (const where of [
    '/assets/other.js',
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e%2fsecret.txt',
    '/%.txt',
  ])
    expect((await get(where)).status, where).toBe(404);
});

test('what an update puts there while the daemon runs is there, and what it takes away is not', async () => {
  await get('/');
  const assets = path.join(folder, 'web/assets');
  fs.writeFileSync(path.join(assets, 'main-3c4d.js'), 'run2()');
  expect(await get('/assets/main-3c4d.js')).toMatchObject({ status: 200, text: 'run2()' });
  fs.rmSync(path.join(assets, 'main-3c4d.js'));
  expect((await get('/assets/main-3c4d.js')).status).toBe(404);
});

test('the page may be had by anyone, the API may not', () => {
  expect(isPublic('GET', '/')).toBe(true);
  expect(isPublic('GET', '/apiary')).toBe(true);
  expect(isPublic('POST', '/api/v1/sign-in')).toBe(true);
  for (const [method, where] of [
    ['POST', '/'],
    ['DELETE', '/api/v1/sign-in'],
    ['GET', '/api/v1/sessions'],
    ['GET', '/api'],
    ['GET', '/metrics'],
    ['POST', '/sessions/x/send'],
  ] as const)
    expect(isPublic(method, where), `${method} ${where}`).toBe(false);
});
