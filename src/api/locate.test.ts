// A home folder that cannot be used is named, with what to set instead.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeHome } from './locate.js';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'smt-home-'));
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

test('makes the folder and those above it, for its owner alone', () => {
  const folder = path.join(root, 'a', 'b');
  makeHome(folder);
  makeHome(folder);
  expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
});

test('a file in its place', () => {
  const file = path.join(root, 'file');
  fs.writeFileSync(file, '');
  expect(() => makeHome(file)).toThrow(
    `the home folder ${file} cannot be used: it is not a folder; set SM_HOME to a folder of yours`,
  );
  expect(() => makeHome(path.join(file, 'below'))).toThrow(/ENOTDIR.*set SM_HOME/);
});

test.runIf(fs.existsSync('/proc/self'))('a parent that takes no folders', () => {
  expect(() => makeHome('/proc/suremail/home')).toThrow(/the home folder \/proc\/suremail\/home cannot be/);
});
