// Where a daemon lives: its home folder, its socket, its token. The one thing that client and daemon must agree on before they talk.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface Home {
  folder: string;
  socket: string;
  token: string;
  log: string;
  database: string;
  config: string;
  // Written by a running daemon for people and scripts: pid, url, socket.
  info: string;
  bin: string;
}

// sun_path holds 104 bytes on macOS and 108 on Linux, the closing NUL included.
const MAX_SOCKET_PATH = 103;

export function locateHome(env: NodeJS.ProcessEnv = process.env): Home {
  const folder = homeFolder(env);
  return {
    folder,
    socket: socketPath(folder),
    token: path.join(folder, 'token'),
    log: path.join(folder, 'daemon.log'),
    database: path.join(folder, 'suremail.db'),
    config: configFile(folder, env),
    info: path.join(folder, 'daemon.json'),
    bin: path.join(folder, 'bin'),
  };
}

const homeFolder = (env: NodeJS.ProcessEnv): string =>
  env.SM_HOME ? path.resolve(env.SM_HOME) : usualHome(env);

const usualHome = (env: NodeJS.ProcessEnv): string =>
  path.join(xdg(env.XDG_STATE_HOME, '.local', 'state'), 'suremail');

// The specification says to ignore a path that is not absolute.
const xdg = (given: string | undefined, ...usual: string[]): string =>
  given && path.isAbsolute(given) ? given : path.join(os.homedir(), ...usual);

// Where SM_CONFIG says; else a home of its own has a configuration of its own, and the usual one has it where
// configurations are kept.
function configFile(folder: string, env: NodeJS.ProcessEnv): string {
  if (env.SM_CONFIG) return path.resolve(env.SM_CONFIG);
  return folder === usualHome(env)
    ? path.join(xdg(env.XDG_CONFIG_HOME, '.config'), 'suremail', 'config.yaml')
    : path.join(folder, 'config.yaml');
}

// What whoever lives in another environment needs to find the same home and the same configuration.
export function homeVariables({ folder, config }: Home): Record<string, string> {
  const alone = { SM_HOME: folder };
  return configFile(folder, alone) === config ? alone : { ...alone, SM_CONFIG: config };
}

function socketPath(folder: string): string {
  const direct = path.join(folder, 'sm.sock');
  if (Buffer.byteLength(direct) <= MAX_SOCKET_PATH) return direct;
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  requireOwn(shortFolder());
  return path.join(shortFolder(), `${digest}.sock`);
}

// Under a name that anyone can guess, somebody else may wait for our messages.
function requireOwn(folder: string): void {
  const stat = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (!stat || process.getuid === undefined) return;
  if (stat.isDirectory() && stat.uid === process.getuid()) return;
  const message = `${folder} is not a folder of yours; remove it, or set SM_HOME to a shorter path`;
  throw Object.assign(new Error(message), { code: 'EPERM' });
}

// For homes whose path is too long for a socket: a folder of this user's, made 0700 by the daemon. Not under $TMPDIR, which
// may be another one for whoever looks for it.
export const shortFolder = (): string => `/tmp/suremail-${process.getuid?.() ?? os.userInfo().username}`;

// One folder after the other: Node's recursive mkdir never returns where a parent exists and takes no folders (/proc).
export function makeHome(folder: string): void {
  const missing: string[] = [];
  for (let at = folder; !fs.existsSync(at); at = path.dirname(at)) missing.unshift(at);
  try {
    for (const each of missing) makeFolder(each);
    if (!fs.statSync(folder).isDirectory()) throw new Error('it is not a folder');
    fs.accessSync(folder, fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    const why = (error as Error).message;
    throw new Error(`the home folder ${folder} cannot be used: ${why}; set SM_HOME to a folder of yours`);
  }
}

// Somebody else may be making it at this moment.
function makeFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
