// Compiles src/ to dist/, puts SQL, sh, mjs and JSON files beside it, and builds the page of web/ into dist/web. Does nothing
// when dist/ is newer than every source; a build that fails leaves the old one as it was.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = path.join(root, 'dist', '.built');

export function build({ force = false } = {}) {
  if (!force && isFresh()) return;
  const fresh = path.join(root, `dist.${process.pid}`);
  try {
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [tsc, '-p', root, '--outDir', fresh], { stdio: 'inherit' });
    for (const file of files('src')) {
      if (!['.sql', '.sh', '.mjs', '.json'].includes(path.extname(file))) continue;
      const target = path.join(fresh, path.relative('src', file));
      fs.mkdirSync(path.dirname(target), { recursive: true });
      fs.copyFileSync(path.join(root, file), target);
    }
    fs.chmodSync(path.join(fresh, 'cli/main.js'), 0o755);
    const vite = path.join(root, 'node_modules/vite/bin/vite.js');
    const out = ['--outDir', path.join(fresh, 'web'), '--emptyOutDir', '--logLevel', 'warn'];
    execFileSync(process.execPath, [vite, 'build', path.join(root, 'web'), ...out], { stdio: 'inherit' });
    fs.writeFileSync(path.join(fresh, '.built'), '');
    fs.rmSync(path.join(root, 'dist'), { recursive: true, force: true });
    fs.renameSync(fresh, path.join(root, 'dist'));
  } finally {
    fs.rmSync(fresh, { recursive: true, force: true });
  }
}

function isFresh() {
  if (!fs.existsSync(stamp)) return false;
  const built = fs.statSync(stamp).mtimeMs;
  return [...files('src'), ...files('web'), 'tsconfig.json', 'package.json'].every(
    (file) => fs.statSync(path.join(root, file)).mtimeMs <= built,
  );
}

function files(folder) {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build({ force: process.argv.includes('--force') });
