// Secrets of browsers: renewed after a day, the one before good for a moment, all of them on disk as hashes.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Store } from '../store/index.js';
import { LINK_MS, RENEW_MS, SIGN_IN_MS, SignIns } from './sign-ins.js';

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
  const { secret } = await signIns.begin();
  expect(await signIns.renewed(secret)).toBeUndefined();
  now += RENEW_MS;
  const next = await signIns.renewed(secret);
  expect(next?.secret).not.toBe(secret);
  expect(signIns.holds(secret)).toBe(true);
  expect(await signIns.renewed(secret)).toBeUndefined();
  now += 60_000;
  expect(signIns.holds(secret)).toBe(false);
  expect(signIns.holds(next?.secret ?? '')).toBe(true);
});

test('it ends after thirty days without use, and when it is ended', async () => {
  const { secret } = await signIns.begin();
  const other = await signIns.begin();
  await signIns.end(other.secret);
  expect([signIns.holds(secret), signIns.holds(other.secret)]).toEqual([true, false]);
  now += SIGN_IN_MS;
  expect(signIns.holds(secret)).toBe(false);
});

test('what was written is there again, and nothing else', async () => {
  const { secret } = await signIns.begin();
  const link = signIns.makeLink();
  await signIns.setPassword('correct horse');
  const { secret: later } = await signIns.begin();
  const again = new SignIns(store, () => now);
  expect([again.holds(secret), again.holds(later), again.takeCode(link.code)]).toEqual([false, true, false]);
  expect(await again.isPassword('correct horse')).toBe(true);
  expect(await again.isPassword('correct horsf')).toBe(false);
  await again.setPassword(undefined);
  expect([again.hasPassword, await again.isPassword('')]).toEqual([false, false]);
});
