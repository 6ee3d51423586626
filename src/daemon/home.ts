// The daemon's folder on disk: private to its owner, with the token and the `sm` that programs in sessions find.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Home, makeHome, shortFolder } from '../api/locate.js';

export function prepareHome(home: Home): void {
  makeHome(home.folder);
  requirePrivate(home.folder);
  if (path.dirname(home.socket) !== home.folder) {
    fs.mkdirSync(shortFolder(), { recursive: true, mode: 0o700 });
    requirePrivate(path.dirname(home.socket));
  }
  fs.mkdirSync(home.bin, { recursive: true, mode: 0o700 });
  writePrivate(path.join(home.bin, 'sm'), wrapper(), 0o700);
  const shim = fileURLToPath(new URL('../composer/editor-shim.sh', import.meta.url));
  writePrivate(path.join(home.bin, 'sm-editor'), fs.readFileSync(shim, 'utf8'), 0o700);
}

// Somebody else's folder under a name of ours could be a trap; an own one that is too open is closed.
function requirePrivate(folder: string): void {
  const stat = fs.lstatSync(folder);
  const mine = process.getuid === undefined || stat.uid === process.getuid();
  if (!stat.isDirectory() || !mine)
    throw new Error(`${folder} must be a folder of your own; remove it or set SM_HOME to another one`);
  if (stat.mode & 0o077) fs.chmodSync(folder, 0o700);
}

// The very node and the very files that run now, whatever PATH says.
function wrapper(): string {
  const cli = fileURLToPath(new URL('../cli/main.js', import.meta.url));
  return `#!/bin/sh\nexec ${shellWord(process.execPath)} ${shellWord(cli)} "$@"\n`;
}

const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export function readToken(file: string): string {
  try {
    const token = fs.readFileSync(file, 'utf8').trim();
    if (/^[0-9a-f]{64}$/.test(token)) {
      fs.chmodSync(file, 0o600);
      return token;
    }
  } catch {
    // Made below.
  }
  const token = randomBytes(32).toString('hex');
  writePrivate(file, `${token}\n`);
  return token;
}

// Folders named by sessions that were removed while nobody cleaned up after them.
export function sweepFolders(
  root: string,
  present: ReadonlySet<string>,
  log: (message: string, details: Record<string, unknown>) => void,
): void {
  const names = fs.existsSync(root) ? fs.readdirSync(root) : [];
  for (const folder of names.filter((name) => !present.has(name)).map((name) => path.join(root, name)))
    try {
      fs.rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      log('folder of a removed session not removed', { folder, error: String(error) });
    }
}

// A reader never sees half of it.
export function writePrivate(file: string, text: string, mode = 0o600): void {
  const temporary = `${file}.${process.pid}`;
  fs.rmSync(temporary, { force: true });
  fs.writeFileSync(temporary, text, { mode });
  fs.renameSync(temporary, file);
}
