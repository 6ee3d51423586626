// The build under test is a copy, named after its sources: a build that others make meanwhile changes nothing in a run.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { cacheFolder } from './packages.mjs';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

// What the product consists of; tests beside it change nothing.
export function codeVersion(root = ROOT) {
  const hash = createHash('sha256');
  const entries = fs.readdirSync(path.join(root, 'src'), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort();
  for (const file of files) {
    hash.update(`${path.relative(root, file)}\0`);
    hash.update(fs.readFileSync(file));
  }
  return hash.digest('hex').slice(0, 10);
}

// Returns {version, folder}; `folder` has dist/ and what it needs to run. `root` is another checkout where that is asked for.
export async function copyBuild(root = ROOT) {
  const version = codeVersion(root);
  const folder = path.join(cacheFolder(), 'builds', version);
  const modules = fs.realpathSync(path.join(root, 'node_modules'));
  if (fs.existsSync(folder)) {
    // The checkout that it was copied from may have been deleted since.
    if (!fs.existsSync(path.join(folder, 'node_modules'))) link(modules, folder);
    return { version, folder };
  }
  const { build } = await import(pathToFileURL(path.join(root, 'scripts/build.mjs')));
  build();
  const made = `${folder}.${process.pid}`;
  fs.mkdirSync(made, { recursive: true });
  fs.cpSync(path.join(root, 'dist'), path.join(made, 'dist'), { recursive: true });
  fs.copyFileSync(path.join(root, 'package.json'), path.join(made, 'package.json'));
  link(modules, made);
  try {
    fs.renameSync(made, folder);
  } catch (error) {
    // Another run has made the same copy meanwhile.
    fs.rmSync(made, { recursive: true, force: true });
    if (!fs.existsSync(folder)) throw error;
  }
  return { version, folder };
}

// In one step, since another run may do the same.
function link(modules, folder) {
  const made = path.join(folder, `node_modules.${process.pid}`);
  fs.symlinkSync(modules, made);
  fs.renameSync(made, path.join(folder, 'node_modules'));
}
