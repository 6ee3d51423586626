// Fails when a room of src/ imports one that is listed after it, or the page of web/ anything but the contract.
// Usage: check-layers.mjs [folder with src/]
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOMS = [
  'terminal',
  'tmux',
  'composer',
  'spool',
  'store',
  'agents',
  'sessions',
  'mail',
  'signals',
  'api',
  'daemon',
  'cli',
  'mcp',
];
// Clients know the contract and nothing else.
const ONLY = { api: [], cli: ['api'], mcp: ['api'] };

const root = path.resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
const source = path.join(root, 'src');
const problems = [];

for (const entry of fs.readdirSync(source, { recursive: true, withFileTypes: true })) {
  const file = path.join(entry.parentPath ?? entry.path, entry.name);
  // Tests may use whatever they need to set a scene.
  if (!entry.isFile() || !file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
  const room = roomOf(file);
  if (!ROOMS.includes(room))
    problems.push(`${relative(file)}: "${room}" is no room; the rooms are ${ROOMS.join(', ')}`);
  for (const [, specifier] of importsOf(file)) {
    const target = path.resolve(path.dirname(file), specifier);
    const other = roomOf(target);
    if (other === room) continue;
    if (!target.startsWith(source)) problems.push(`${relative(file)}: imports ${specifier}, outside of src/`);
    else if (!mayImport(room, other))
      problems.push(`${relative(file)}: ${room}/ may not import ${other}/ (${specifier})`);
  }
}

// The page: its own files, and of src/ the contract alone.
const page = path.join(root, 'web/src');
for (const entry of fs.existsSync(page)
  ? fs.readdirSync(page, { recursive: true, withFileTypes: true })
  : []) {
  const file = path.join(entry.parentPath ?? entry.path, entry.name);
  if (!entry.isFile() || !/\.tsx?$/.test(file)) continue;
  for (const [, specifier] of importsOf(file)) {
    const target = path.resolve(path.dirname(file), specifier);
    if (!isIn(page, target) && !isIn(path.join(source, 'api'), target))
      problems.push(`${relative(file)}: web/ may import only api/ (${specifier})`);
  }
}

function importsOf(file) {
  return fs.readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g);
}

function isIn(folder, target) {
  return target.startsWith(folder + path.sep);
}

function mayImport(room, other) {
  return ONLY[room]?.includes(other) ?? ROOMS.indexOf(other) < ROOMS.indexOf(room);
}

function roomOf(file) {
  return path.relative(source, file).split(path.sep)[0];
}

function relative(file) {
  return path.relative(root, file);
}

for (const problem of problems) console.error(problem);
process.exit(problems.length ? 1 : 0);
