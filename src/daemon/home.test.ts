// Folders of sessions that are no more go, and no other.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sweepFolders } from './home.js';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'smt-sweep-'));
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

test('those that are present stay; a folder that is not there has none', () => {
  for (const id of ['a', 'b']) {
    fs.mkdirSync(path.join(root, id));
    fs.writeFileSync(path.join(root, id, 'x.mark'), '');
  }
  sweepFolders(root, new Set(['b', 'c']), () => {});
  expect(fs.readdirSync(root)).toEqual(['b']);
  expect(fs.readdirSync(path.join(root, 'b'))).toEqual(['x.mark']);
  sweepFolders(path.join(root, 'none'), new Set(), () => {});
});
