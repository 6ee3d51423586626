// Where the home and the configuration are; a home folder that cannot be used is named, with what to set instead.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { homeVariables, locateHome, makeHome } from './locate.js';

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

const usual = path.join(os.homedir(), '.local', 'state', 'suremail');
const own = path.join(os.homedir(), '.config', 'suremail', 'config.yaml');
test.each([
  ['nothing is set', {}, usual, own],
  ['SM_HOME that names the usual home', { SM_HOME: usual }, usual, own],
  ['a home of its own', { SM_HOME: '/h' }, '/h', '/h/config.yaml'],
  ['SM_CONFIG', { SM_HOME: '/h', SM_CONFIG: '/c/sm.yaml' }, '/h', '/c/sm.yaml'],
  ['an empty SM_CONFIG', { SM_CONFIG: '' }, usual, own],
  ['XDG_CONFIG_HOME', { XDG_CONFIG_HOME: '/c' }, usual, '/c/suremail/config.yaml'],
  ['XDG_CONFIG_HOME and a home of its own', { SM_HOME: '/h', XDG_CONFIG_HOME: '/c' }, '/h', '/h/config.yaml'],
  ['XDG_CONFIG_HOME that is not absolute', { XDG_CONFIG_HOME: 'c' }, usual, own],
  ['XDG_STATE_HOME', { XDG_STATE_HOME: '/s' }, '/s/suremail', own],
])('%s', (_, env, folder, config) => {
  const home = locateHome(env);
  expect(home).toMatchObject({ folder, config });
  // Whoever is given these, and nothing else, finds the same.
  expect(locateHome(homeVariables(home))).toEqual(home);
});

test('a home alone is enough where it leads to the configuration', () => {
  expect(homeVariables(locateHome({}))).toEqual({ SM_HOME: usual });
  expect(homeVariables(locateHome({ XDG_STATE_HOME: '/s' }))).toEqual({
    SM_HOME: '/s/suremail',
    SM_CONFIG: own,
  });
});
