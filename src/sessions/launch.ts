// Starting a program in a tmux session of its own, so that nothing it prints is missed.
import fs from 'node:fs';
import path from 'node:path';
import { quote, type TmuxServer } from '../tmux/index.js';
import { SessionError } from './errors.js';

export interface Launch {
  command: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  width: number;
  height: number;
  tmuxName: string;
}

export interface Launched {
  tmuxSession: string;
  pane: string;
  server: string;
}

// A tmux session whose pane waits, so that our link is there before the program prints its first byte.
export async function prepareSession(server: TmuxServer, launch: Launch): Promise<Launched> {
  const size = ['-x', String(launch.width), '-y', String(launch.height)];
  const format = '#{session_id} #{pane_id} #{pid}:#{start_time}';
  const make = (name: string): Promise<string> =>
    server.alone(() =>
      server.fork([
        'new-session',
        '-d',
        ...size,
        '-s',
        name,
        '-n',
        name,
        '-c',
        launch.cwd,
        '-P',
        '-F',
        format,
        '--',
        'cat',
        '-',
      ]),
    );
  const made = await make(launch.tmuxName).catch((error: Error) => {
    if (/duplicate session/.test(error.message))
      return make(`${launch.tmuxName}-${process.pid}-${Date.now()}`);
    throw error;
  });
  const [tmuxSession = '', pane = '', identity = ''] = made.split(' ');
  return { tmuxSession, pane, server: identity };
}

// Values that nobody else is to see: a command line is shown to every user of the machine.
export const SECRET = /PASSWORD|PASSPHRASE|SECRET|TOKEN|CREDENTIAL|_KEY$/;
// Without the file the program does not start: it might run open to everyone where it was meant to ask for a password.
const WITH_SECRETS = ['/bin/sh', '-c', '. "$0" && exec "$@"'];

// Puts the program into the waiting pane. `env` in front makes tmux run the words as they are, without a shell of the user's,
// and keeps our variables out of the panes that a person opens beside it; a pane that is respawned has them again. So it has
// the secrets, which stand in a file in the session's own `folder` and go with it.
export function launchCommands(launch: Launch, pane: string, folder: string): string[] {
  const pairs = Object.entries(launch.env);
  const shown = pairs.filter(([key]) => !SECRET.test(key)).map(([key, value]) => `${key}=${value}`);
  const secrets = pairs.filter(([key]) => SECRET.test(key));
  const file = path.join(folder, 'secrets');
  if (secrets.length > 0) fs.writeFileSync(file, secrets.map(exported).join(''), { mode: 0o600 });
  const through = secrets.length > 0 ? [...WITH_SECRETS, file] : [];
  const words = ['env', ...shown, ...through, ...launch.command].map(quote).join(' ');
  return [
    // What a program that failed printed last stays to be read.
    `set-option -p -t ${pane} remain-on-exit failed`,
    `respawn-pane -k -t ${pane} -c ${quote(launch.cwd)} -- ${words}`,
  ];
}

const exported = ([key, value]: [string, string]): string =>
  `export ${key}='${value.replaceAll("'", `'\\''`)}'\n`;

// The program as the caller's PATH finds it; a clear word now is better than a pane that closes at once.
export function requireProgram(command: readonly string[], cwd: string, searchPath: string): string {
  const program = command[0] ?? '';
  const problem = (expected: string): SessionError =>
    new SessionError('invalid', `command not found: ${program}`, {
      field: 'command',
      value: program,
      expected,
    });
  if (program === '' || program.includes('=')) throw problem('the name of a program, or a path to one');
  const candidates = program.includes('/')
    ? [path.resolve(cwd, program)]
    : searchPath.split(path.delimiter).map((folder) => path.resolve(cwd, folder || '.', program));
  const found = candidates.find(isExecutable);
  if (found === undefined)
    throw problem(
      program.includes('/') ? 'a path to a program that may be run' : `a program in one of: ${searchPath}`,
    );
  return found;
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

export function requireFolder(folder: string): void {
  if (path.isAbsolute(folder) && fs.existsSync(folder) && fs.statSync(folder).isDirectory()) return;
  throw new SessionError('invalid', `no such folder: ${folder}`, {
    field: 'cwd',
    value: folder,
    expected: 'the whole path of a folder that exists',
  });
}
