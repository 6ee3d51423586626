// The rooms of src/ import only from rooms before them.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ROOT } from './support/tmux.js';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sml-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function check(root?: string): { code: number | null; errors: string } {
  const script = path.join(ROOT, 'scripts/check-layers.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, ...(root ? [root] : [])], {
    encoding: 'utf8',
  });
  return { code: status, errors: stderr };
}

function checkWith(files: Record<string, string>): { code: number | null; errors: string } {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, 'src', name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  return check(folder);
}

const FINE = {
  'terminal/a.ts': 'export const a = 1;\n',
  'tmux/b.ts': "import { a } from '../terminal/a.js';\nexport const b = a;\n",
  'store/c.ts': "import fs from 'node:fs';\nimport { b } from '../tmux/b.js';\nexport { fs, b };\n",
  'mail/d.ts': "export * from '../store/c.js';\n",
  'api/e.ts': 'export const e = 1;\n',
  'daemon/f.ts': "import '../mail/d.js';\nimport { e } from '../api/e.js';\nexport { e };\n",
  'cli/g.ts': "export const load = () => import('../api/e.js');\n",
};

test('this repository keeps to it', () => {
  expect(check()).toEqual({ code: 0, errors: '' });
});

test('a small house that keeps to it passes', () => {
  expect(checkWith(FINE)).toEqual({ code: 0, errors: '' });
});

describe('what is forbidden fails and is named', () => {
  test.each([
    [
      'tmux importing store',
      'tmux/bad.ts',
      "import { c } from '../store/c.js';\n",
      'tmux/ may not import store/',
    ],
    ['cli importing daemon', 'cli/bad.ts', "import '../daemon/f.js';\n", 'cli/ may not import daemon/'],
    ['api importing mail', 'api/bad.ts', "export { b } from '../mail/d.js';\n", 'api/ may not import mail/'],
    [
      'a type alone',
      'tmux/bad.ts',
      "import type { C } from '../store/c.js';\n",
      'tmux/ may not import store/',
    ],
    ['an import at run time', 'cli/bad.ts', "await import('../store/c.js');\n", 'cli/ may not import store/'],
    [
      'an import over several lines',
      'store/bad.ts',
      "import {\n  d,\n} from '../mail/d.js';\n",
      'store/ may not import mail/',
    ],
    [
      'a file deeper inside',
      'tmux/deep/bad.ts',
      "import '../../store/c.js';\n",
      'tmux/ may not import store/',
    ],
    ['something outside of src', 'mail/bad.ts', "import '../../scripts/x.mjs';\n", 'outside of src/'],
    ['a room that does not exist', 'utils/bad.ts', 'export {};\n', '"utils" is no room'],
  ])('%s', (_, name, text, problem) => {
    const { code, errors } = checkWith({ ...FINE, [name]: text });
    expect(code).toBe(1);
    expect(errors).toContain(problem);
    expect(errors).toContain(`src/${name}`);
    expect(errors.trim().split('\n')).toHaveLength(1);
  });
});

test('a test may import what it needs to set a scene', () => {
  expect(checkWith({ ...FINE, 'tmux/b.test.ts': "import '../daemon/f.js';\n" }).code).toBe(0);
});

test('the page may import the contract, and nothing else of src/', () => {
  const fine = {
    ...FINE,
    '../web/src/a/b.tsx': "import type { E } from '../../../src/api/e.js';\nimport '../c.js';\n",
  };
  expect(checkWith(fine)).toEqual({ code: 0, errors: '' });
  const { code, errors } = checkWith({ ...fine, '../web/src/bad.ts': "import '../../src/daemon/f.js';\n" });
  expect(code).toBe(1);
  expect(errors.trim()).toBe('web/src/bad.ts: web/ may import only api/ (../../src/daemon/f.js)');
});
