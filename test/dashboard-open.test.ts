// `sm dash`: the browser, the link, the password, and the dashboard at other addresses.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT, until } from './support/tmux.js';
import { World } from './support/world.js';

const CLI = path.join(ROOT, 'dist/cli/main.js');

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.dispose());

const port = async (): Promise<number> => Number(new URL((await world.client.status()).url).port);
const signIn = (address: string, at: number, body: unknown, host = `${address}:${at}`) =>
  fetch(`http://${address}:${at}/api/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: `http://${host}` },
    body: JSON.stringify(body),
  });
// An address of this machine that is not loopback.
const outside = Object.values(os.networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address;

test('the link is given to the browser, or printed', async () => {
  const note = path.join(world.folder, 'opened');
  const browser = path.join(world.folder, 'browser');
  fs.writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > ${note}\n`, { mode: 0o700 });
  const { code, stdout } = await world.sm(['dash'], { env: { SM_BROWSER: browser } });
  const at = await port();
  expect([code, stdout]).toEqual([0, `opened http://127.0.0.1:${at} in your browser\n`]);
  const link = fs.readFileSync(note, 'utf8');
  expect(link).toMatch(new RegExp(`^http://127.0.0.1:${at}/sign-in#code=`));
  expect((await signIn('127.0.0.1', at, { code: link.split('#code=')[1] })).status).toBe(200);
  const printed = await world.sm(['dash', '--print'], { env: { SM_BROWSER: browser } });
  expect(printed.stdout.trim()).toMatch(/#code=[\w-]{43}$/);
  const json = await world.sm(['dash', '--json']);
  expect(JSON.parse(json.stdout)).toEqual({
    url: expect.stringContaining('#code='),
    expires_at: expect.any(String),
  });
  const broken = await world.sm(['dash'], { env: { SM_BROWSER: '/nonsense' } });
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('sm dash --print')]);
});

test('at another address only with a password, or with a word for the token', async () => {
  const refused = await world.sm(['dash', '--host', '0.0.0.0']);
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('sm dash --password')]);
  expect((await world.sm(['dash', '--host', 'devbox'])).stderr).toContain('is no address');
  expect((await world.sm(['dash', '--host', '203.0.113.7', '--token'])).stderr).toContain('does not have it');
  const short = await world.sm(['dash', '--password'], { input: 'short\n' });
  expect([short.code, short.stderr]).toEqual([2, expect.stringContaining('password')]);
  const set = await world.sm(['dash', '--password'], { input: 'correct horse\n' });
  expect([set.code, set.stdout]).toEqual([0, expect.stringContaining('the password is set')]);
  const opened = await world.sm(['dash', '--host', '0.0.0.0']);
  expect([opened.code, opened.stdout]).toEqual([0, expect.stringContaining('signs in with the password')]);
  const at = await port();
  expect((await signIn('127.0.0.1', at, { password: 'correct horse' })).status).toBe(200);
  const again = await world.sm(['dash', '--host', '0.0.0.0', '--print']);
  expect(again.stdout.trim().split('\n').at(-1)).toMatch(/#code=[\w-]{43}$/);
  const closed = await world.sm(['dash', '--host', '127.0.0.1']);
  expect([closed.code, closed.stdout]).toEqual([0, 'it can be reached from this machine alone\n']);
  expect((await world.client.exposure()).hosts).toEqual(['127.0.0.1']);
  expect((await signIn('127.0.0.1', at, { password: 'correct horse' })).status).toBe(200);
});

test('a password that is typed is not shown, is edited as a line is, and is asked for twice', async () => {
  const command = `env SM_HOME=${world.home} ${process.execPath} ${CLI} dash --password`;
  const pane = world.tmux('new-window', '-d', '-P', '-F', '#{pane_id}', `${command}; ${command}; exec cat`);
  const shows = (text: string, times = 1): Promise<boolean> =>
    until(() => world.tmux('capture-pane', '-p', '-t', pane).split(text).length > times, text);
  const press = (...keys: string[]): string => world.tmux('send-keys', '-t', pane, ...keys);
  await shows('new password:');
  press('typed at the desk', 'Enter');
  await shows('the same again:');
  press('typed at the disk', 'Enter');
  await shows('are not the same');
  await shows('new password:', 2);
  press(
    'mistaken',
    'C-u',
    'typed',
    'Left',
    'Up',
    ' at the disk',
    'BSpace',
    'BSpace',
    'BSpace',
    'esk',
    'Enter',
  );
  await shows('the same again:', 2);
  press('typed at the desk', 'Enter');
  await shows('the password is set');
  expect(world.tmux('capture-pane', '-p', '-t', pane)).not.toMatch(/desk|disk|mistaken/);
  expect((await signIn('127.0.0.1', await port(), { password: 'typed at the desk' })).status).toBe(200);
});

test.skipIf(outside === undefined)(
  'whoever comes from there signs in, until it is closed again',
  async () => {
    const there = outside as string;
    await world.client.setPassword('correct horse');
    await world.client.expose({ host: '0.0.0.0', sign_in: 'password' });
    const at = await port();
    expect((await signIn(there, at, { password: 'correct horse' })).status).toBe(200);
    expect((await signIn(there, at, { password: 'wrong horse!' })).status).toBe(401);
    expect((await fetch(`http://${there}:${at}/api/v1/sessions`)).status).toBe(401);
    const token = fs.readFileSync(path.join(world.home, 'token'), 'utf8').trim();
    const headers = { authorization: `Bearer ${token}` };
    const feed = await fetch(`http://${there}:${at}/api/v1/events`, { headers });
    const removed = await world.sm(['dash', '--no-password']);
    expect(removed.stdout).toBe(
      'no password signs in any more; every browser is signed out\nit can be reached from this machine alone\n',
    );
    // Also who was connected is there no more.
    await expect(feed.text()).rejects.toThrow();
    await expect(fetch(`http://${there}:${at}/`)).rejects.toThrow();
    expect((await fetch(`http://127.0.0.1:${at}/api/v1/sessions`, { headers })).status).toBe(200);
    // Where the token was to be used, it still is.
    await world.client.expose({ host: '0.0.0.0', sign_in: 'token' });
    await world.client.removePassword();
    expect((await fetch(`http://${there}:${at}/api/v1/sessions`, { headers })).status).toBe(200);
  },
);

const configured =
  'a configured address without a password is not used; with one it is; a name has to be known';
test.skipIf(outside === undefined)(configured, async () => {
  const there = outside as string;
  await world.client.removePassword();
  world.configure(`listen_host: ${there}\ndashboard_names: ["devbox.lan:4747"]\n`);
  await world.kill9();
  await world.startDaemon();
  expect((await world.client.exposure()).hosts).toEqual(['127.0.0.1']);
  await world.client.setPassword('correct horse');
  await world.kill9();
  await world.startDaemon();
  const at = await port();
  expect((await world.client.exposure()).hosts).toEqual(['127.0.0.1', there]);
  expect((await signIn(there, at, { password: 'correct horse' })).status).toBe(200);
  const ask = (host: string): Promise<number> =>
    new Promise((resolve, reject) => {
      import('node:http').then(({ default: http }) =>
        http
          .get({ host: there, port: at, path: '/api/v1/sign-in', headers: { host } }, (answer) => {
            answer.resume();
            resolve(answer.statusCode ?? 0);
          })
          .on('error', reject),
      );
    });
  expect(await ask('devbox.lan:4747')).toBe(401);
  expect(await ask('evil.example:4747')).toBe(403);
});
