// The file that a program was started from: behind an interpreter its script, and nothing that is only taken for it.
import fs from 'node:fs';
import path from 'node:path';
import { environmentOf, folderOf, readProcess } from './process.js';

// An absolute path; null where it cannot be told what runs: `python3 -m x`, `node -e CODE`, a script on standard input.
export async function programFile({
  pid,
  argv,
}: {
  pid: number;
  argv: readonly string[];
}): Promise<string | null> {
  const words = (await readProcess(pid))?.argv ?? argv;
  const run = scriptOf(words);
  if (run.kind === 'unknown') return null;
  if (run.kind === 'script') return scriptFile(run.script, await folderOf(pid));
  const program = words[0] ?? '';
  let file: string;
  try {
    file = fs.readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return program.includes('/') ? inFolder(program, await folderOf(pid)) : null;
  }
  return interpreterOf(file) && !interpreterOf(program) ? renamed(pid, [argv, words]) : file;
}

// A script may give its process another name, and with it goes its command line. What it was started with is known where we
// started it; otherwise a script of that name is looked for where its own shell would have found it.
async function renamed(pid: number, lines: readonly (readonly string[])[]): Promise<string | null> {
  const [folder, { PATH = '' }] = await Promise.all([folderOf(pid), environmentOf(pid)]);
  for (const line of lines) {
    const run = scriptOf(line);
    const word = run.kind === 'script' ? run.script : (line[0] ?? '');
    const folders = word.includes('/') ? [''] : PATH.split(path.delimiter).map((each) => `${each}/`);
    const found = folders.map((each) => inFolder(each + word, folder)).find((file) => file && isScript(file));
    if (found) return found;
  }
  return null;
}

function isScript(file: string): boolean {
  try {
    return fs.statSync(file).isFile() && fs.readFileSync(file).subarray(0, 2).toString() === '#!';
  } catch {
    return false;
  }
}

export type Runs =
  // No interpreter, or one that waits for commands itself.
  { kind: 'itself' } | { kind: 'script'; script: string } | { kind: 'unknown' };

interface Interpreter {
  name: RegExp;
  // What follows these is a value of theirs.
  valued: ReadonlySet<string>;
  // With these it runs something that is in no file of its command line.
  code: RegExp;
  // Words before the script that name no file.
  verbs: ReadonlySet<string>;
}

const JS_CODE = /^(?:-e|-p|-pe|--eval|--print)(?:=|$)/;
const JS_VALUED = ['-r', '--require', '--import', '--preload', '--env-file', '--env-file-if-exists', '-C'];
const NONE: ReadonlySet<string> = new Set();

const INTERPRETERS: readonly Interpreter[] = [
  {
    name: /^node(?:js)?$/,
    valued: new Set([
      ...JS_VALUED,
      '--conditions',
      '--loader',
      '--experimental-loader',
      '--experimental-config-file',
      '--input-type',
      '--experimental-default-type',
      '--inspect-port',
      '--debug-port',
      '--title',
      '--icu-data-dir',
      '--openssl-config',
      '--disable-warning',
      '--redirect-warnings',
      '--trace-event-categories',
      '--diagnostic-dir',
      '--report-dir',
      '--report-directory',
      '--unhandled-rejections',
      '--dns-result-order',
      '--watch-path',
    ]),
    code: JS_CODE,
    verbs: NONE,
  },
  {
    name: /^bun$/,
    valued: new Set([...JS_VALUED, '--cwd', '--conditions', '--define', '-d', '--loader', '-l', '--port']),
    code: /^(?:-e|-p|--eval|--print|x|exec|repl)(?:=|$)/,
    verbs: new Set(['run']),
  },
  {
    name: /^deno$/,
    valued: new Set([...JS_VALUED, '-c', '--config', '--import-map', '--lock', '--location', '--cert']),
    code: /^(?:eval|repl|task|x)$/,
    verbs: new Set(['run']),
  },
  {
    name: /^python[\d.]*$/,
    // Letters may be joined: -um MODULE. Behind -W and -X the rest of the word is theirs.
    valued: new Set(['--check-hash-based-pycs']),
    code: /^-[a-zA-VY-Z]*[cm]/,
    verbs: NONE,
  },
];
const PYTHON_VALUED = /^-[a-zA-VY-Z]*[WX]$/;

const interpreterOf = (program: string): Interpreter | undefined =>
  INTERPRETERS.find((each) => each.name.test(program.replace(/^.*\//, '')));

export function scriptOf([program = '', ...rest]: readonly string[]): Runs {
  const name = program.replace(/^.*\//, '');
  const interpreter = interpreterOf(name);
  if (!interpreter) return { kind: 'itself' };
  const { valued, code, verbs } = interpreter;
  const python = name.startsWith('python');
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] as string;
    if (word === '-' || code.test(word)) return { kind: 'unknown' };
    if (valued.has(word) || (python && PYTHON_VALUED.test(word))) i++;
    else if (word === '--') return found(rest[i + 1]);
    else if (!word.startsWith('-') && !verbs.has(word)) return found(word);
  }
  return { kind: 'itself' };
}

const found = (script: string | undefined): Runs =>
  script === undefined ? { kind: 'itself' } : { kind: 'script', script };

// What an interpreter adds to a name that is no file.
const ENDINGS = ['', '.js', '/index.js', '/__main__.py'];

function scriptFile(script: string, folder: string | null): string | null {
  const file = inFolder(script, folder);
  if (file === null) return null;
  const isFile = (each: string): boolean => fs.statSync(each, { throwIfNoEntry: false })?.isFile() === true;
  return ENDINGS.map((ending) => file + ending).find(isFile) ?? null;
}

const inFolder = (file: string, folder: string | null): string | null =>
  path.isAbsolute(file) ? file : folder === null ? null : path.join(folder, file);
