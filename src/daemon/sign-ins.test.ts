// Secrets of browsers: renewed after a day, the one before good until the browser has the next, all of them on disk as hashes.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Store } from '../store/index.js';
import { type Given, LINK_MS, OVERLAP_MS, RENEW_MS, SIGN_IN_MS, SignIns } from './sign-ins.js';

const WRITER = new URL('../../dist/store/writer-thread.js', import.meta.url);
let folder: string;
let store: Store;
let now: number;
let signIns: SignIns;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sms-'));
  store = Store.open(path.join(folder, 'db'), { writerThread: WRITER });
  now = 1_000_000;
  signIns = new SignIns(store, () => now);
});
afterEach(async () => {
  await store.close();
  fs.rmSync(folder, { recursive: true });
});

const begin = async (secure = false): Promise<Given> => (await signIns.begin({ secure })) as Given;

test('a link counts once and for a minute', () => {
  const { code } = signIns.makeLink();
  expect(signIns.takeCode('other')).toBe(false);
  expect(signIns.takeCode(code)).toBe(true);
  expect(signIns.takeCode(code)).toBe(false);
  const late = signIns.makeLink();
  now += LINK_MS;
  expect(signIns.takeCode(late.code)).toBe(false);
});

test('a secret gets a successor after a day, and both count while requests are under way', async () => {
  const { secret } = await begin();
  expect(await signIns.renewed(secret)).toBeUndefined();
  now += RENEW_MS;
  const next = (await signIns.renewed(secret)) as Given;
  expect(next.secret).not.toBe(secret);
  expect(await signIns.renewed(secret)).toBeUndefined();
  expect(signIns.holds(next.secret)).toBe(true);
  now += OVERLAP_MS - 1;
  expect([signIns.holds(next.secret), signIns.holds(secret)]).toEqual([true, true]);
  now += 1;
  expect([signIns.holds(next.secret), signIns.holds(secret)]).toEqual([true, false]);
  // Nor for whoever comes after a restart: what is written after it is on disk.
  await begin();
  expect(new SignIns(store, () => now).holds(secret)).toBe(false);
});

test('one whose successor never came counts on, and gets another a day later', async () => {
  const { secret } = await begin();
  now += RENEW_MS;
  const lost = (await signIns.renewed(secret)) as Given;
  now += RENEW_MS - 1;
  signIns = new SignIns(store, () => now);
  expect(signIns.holds(secret)).toBe(true);
  expect(await signIns.renewed(secret)).toBeUndefined();
  now += 1;
  const next = (await signIns.renewed(secret)) as Given;
  expect([signIns.holds(secret), signIns.holds(lost.secret)]).toEqual([true, false]);
  expect(signIns.holds(next.secret)).toBe(true);
  now += OVERLAP_MS;
  expect(signIns.holds(secret)).toBe(false);
});

test('of two tabs that ask at once one gets a successor, which counts', async () => {
  const { secret } = await begin();
  now += RENEW_MS;
  const given = (await Promise.all([signIns.renewed(secret), signIns.renewed(secret)])).filter(Boolean);
  expect(given).toHaveLength(1);
  expect(signIns.holds(given[0]?.secret ?? '')).toBe(true);
});

test('what is for https alone is so in its successors', async () => {
  const { secret } = await begin(true);
  now += RENEW_MS;
  signIns = new SignIns(store, () => now);
  expect(await signIns.renewed(secret)).toMatchObject({ secure: true });
  expect(await begin()).toMatchObject({ secure: false });
});

test('what was begun before everybody was signed out leads nowhere', async () => {
  await signIns.setPassword('correct horse');
  const since = signIns.generation;
  // In this order they wait for their turn: the new password is hashed before the old one is checked.
  const changed = signIns.setPassword('battery staple');
  expect(await signIns.isPassword('correct horse')).toBe(true);
  const late = signIns.begin({ secure: false, since });
  await changed;
  expect(await late).toBeUndefined();
  expect(await signIns.isPassword('correct horse')).toBe(false);
  expect(await new SignIns(store, () => now).isPassword('battery staple')).toBe(true);
});

test.each<[string, (secret: string) => Promise<void>]>([
  ['the browser is signed out', (secret) => signIns.end(secret)],
  ['everybody is', () => signIns.setPassword(undefined)],
])('a renewal brings nothing back where %s meanwhile', async (_, end) => {
  const { secret } = await begin();
  now += RENEW_MS;
  const [renewed] = await Promise.all([signIns.renewed(secret), end(secret)]);
  for (const each of [signIns, new SignIns(store, () => now)])
    expect([each.holds(secret), each.holds(renewed?.secret ?? '')]).toEqual([false, false]);
});

test('it ends after thirty days without use, and when it is ended', async () => {
  const { secret } = await begin();
  const other = await begin();
  await signIns.end(other.secret);
  expect([signIns.holds(secret), signIns.holds(other.secret)]).toEqual([true, false]);
  now += SIGN_IN_MS;
  expect(signIns.holds(secret)).toBe(false);
});

test('what was written is there again, and nothing else', async () => {
  const { secret } = await begin();
  const link = signIns.makeLink();
  await signIns.setPassword('correct horse');
  const { secret: later } = await begin();
  const again = new SignIns(store, () => now);
  expect([again.holds(secret), again.holds(later), again.takeCode(link.code)]).toEqual([false, true, false]);
  expect(await again.isPassword('correct horse')).toBe(true);
  expect(await again.isPassword('correct horsf')).toBe(false);
  await again.setPassword(undefined);
  expect([again.hasPassword, await again.isPassword('')]).toEqual([false, false]);
});
