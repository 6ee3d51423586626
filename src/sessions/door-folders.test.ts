import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DoorFolders } from './door-folders.js';
import type { Session } from './session.js';

let root: string;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-folders-'));
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const inPane = (id: string, pane: string): Session =>
  ({ id, row: { server: '42:1', pane } }) as unknown as Session;
const links = (): string[] => fs.readdirSync(path.join(root, 'at')).sort();

test('the link of a pane goes with the folder of its session, also where nobody saw that go', () => {
  const folders = new DoorFolders(root);
  for (const n of [1, 2, 3]) folders.link(inPane(`s${n}`, `%${n}`));
  folders.remove('s1');
  expect(links()).toEqual(['42-2', '42-3']);
  fs.rmSync(path.join(root, 's2'), { recursive: true });
  new DoorFolders(root);
  expect(links()).toEqual(['42-3']);
});
