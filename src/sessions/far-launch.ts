// Starting a program on another machine: by the login shell of its user, who has set up there where programs are found.
import { quote, type SshHost, shellLine, shellWord } from '../tmux/index.js';
import { SessionError } from './errors.js';
import { type Launch, SECRET } from './launch.js';

// Where it will run, as that machine names it; a clear word now is better than a pane that closes at once.
export async function farPlace(
  host: SshHost,
  command: readonly string[],
  cwd: string | undefined,
): Promise<string> {
  const [program = ''] = command;
  if (program === '' || program.includes('=')) throw badProgram(host, program);
  const folder = cwd === undefined ? '"$HOME"' : shellWord(cwd);
  const found = await host.script(`cd -- ${folder} && pwd`);
  const place = found.stdout.replace(/\n$/, '');
  if (found.code !== 0 || !(cwd === undefined || cwd.startsWith('/')))
    throw new SessionError('invalid', `no such folder on ${host.host}: ${cwd ?? 'its home'}`, {
      field: 'cwd',
      value: cwd ?? null,
      expected: `the whole path of a folder that exists on ${host.host}`,
    });
  const looked = await host.script(
    `cd -- ${folder} && exec "\${SHELL:-/bin/sh}" -l -c ${shellWord(`command -v ${shellWord(program)}`)}`,
  );
  if (looked.code !== 0) throw badProgram(host, program);
  return place;
}

const badProgram = (host: SshHost, program: string): SessionError =>
  new SessionError('invalid', `command not found on ${host.host}: ${program}`, {
    field: 'command',
    value: program,
    expected: `a program that the login shell of ${host.host} finds, or a path to one`,
  });

// Runs its word as a command line of the login shell, in whose place the program comes.
const BY_LOGIN_SHELL = ['sh', '-c', `exec "\${SHELL:-/bin/sh}" -l -c "$1"`, 'sm'];

// What nobody else is to see goes by tmux itself: a command line is shown to every user of that machine.
export function farCommands(launch: Launch, pane: string): string[] {
  const pairs = Object.entries(launch.env);
  const shown = pairs.filter(([key]) => !SECRET.test(key)).map(([key, value]) => `${key}=${value}`);
  const secrets = pairs.filter(([key]) => SECRET.test(key)).map(([key, value]) => `${key}=${value}`);
  const line = `exec ${shellLine(shown.length > 0 ? ['env', ...shown, ...launch.command] : launch.command)}`;
  const words = [...BY_LOGIN_SHELL, line].map(quote).join(' ');
  const given = secrets.map((pair) => ` -e ${quote(pair)}`).join('');
  return [
    // What a program that failed printed last stays to be read.
    `set-option -p -t ${pane} remain-on-exit failed`,
    `respawn-pane -k -t ${pane} -c ${quote(launch.cwd)}${given} -- ${words}`,
  ];
}
