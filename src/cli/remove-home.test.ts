import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { locateHome } from '../api/locate.js';
import { removeHome } from './remove-home.js';

let root: string;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'smx-'));
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const write = (...parts: string[]): string => {
  const file = path.join(root, ...parts);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, 'x');
  return file;
};
const home = () =>
  locateHome({ SM_HOME: path.join(root, 'home'), SM_CONFIG: path.join(root, 'conf', 'config.yaml') });

it('what is ours goes, what the user wrote stays, and so does what was never ours', () => {
  for (const name of [
    'suremail.db',
    'suremail.db-wal',
    'token',
    'bin/sm',
    'doors/s/secrets',
    'config.good',
    'agents.good',
  ])
    write('home', name);
  const agent = write('home', 'agents', 'mine.yaml');
  const photo = write('home', 'photo.jpg');
  const config = write('conf', 'config.yaml');
  const { removed, left } = removeHome(home(), { config: 'keep' });
  expect(removed).toHaveLength(7);
  expect(left.sort()).toEqual([path.dirname(agent), photo]);
  for (const file of [agent, photo, config]) expect(fs.existsSync(file)).toBe(true);
});

it('with the configuration, and then the empty folders too', () => {
  write('home', 'suremail.db');
  write('home', 'agents', 'mine.yaml');
  write('conf', 'config.yaml');
  expect(removeHome(home(), { config: 'remove' }).left).toEqual([]);
  expect(fs.readdirSync(root)).toEqual([]);
});

it('a home that is not there', () => {
  expect(removeHome(home(), { config: 'remove' })).toEqual({ removed: [], left: [] });
});
