// The unit with which systemd runs the daemon for its user: where it is and what it says.
import os from 'node:os';
import path from 'node:path';

export const UNIT = 'suremail.service';

// The specification says to ignore a path that is not absolute.
export function unitFile(env: NodeJS.ProcessEnv): string {
  const given = env.XDG_CONFIG_HOME;
  const folder = given && path.isAbsolute(given) ? given : path.join(os.homedir(), '.config');
  return path.join(folder, 'systemd', 'user', UNIT);
}

export interface UnitPlan {
  node: string;
  daemon: string;
  env: Readonly<Record<string, string>>;
}

// KillMode: a tmux server that the daemon started lives in its group of processes, and must outlive it. A stop that was asked
// for ends without an error and is not undone.
export function unitText({ node, daemon, env }: UnitPlan): string {
  const variables = Object.entries(env).map(([name, value]) => `Environment=${word(`${name}=${value}`)}`);
  return `${[
    '[Unit]',
    'Description=Suremail, a post office for coding agents in tmux panes',
    '',
    '[Service]',
    `ExecStart=${command(node)} ${command(daemon)}`,
    ...variables,
    'UMask=0077',
    'Restart=on-failure',
    'RestartSec=1',
    'KillMode=process',
    'OOMPolicy=continue',
    '',
    '[Install]',
    'WantedBy=default.target',
  ].join('\n')}\n`;
}

// As systemd reads it: quoted, with its specifiers (%) and line ends taken literally.
const word = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('%', '%%')}"`;
// In a command line variables are expanded too.
const command = (text: string): string => word(text).replaceAll('$', () => '$$');

// Variables that the daemon must have as this shell has them: where programs are, and where tmux keeps its sockets.
export const unitVariables = (
  env: NodeJS.ProcessEnv,
  home: Readonly<Record<string, string>>,
): Record<string, string> => ({
  ...Object.fromEntries(
    ['PATH', 'SM_PORT', 'TMUX_TMPDIR', 'VISUAL', 'EDITOR'].flatMap((name) =>
      env[name] ? [[name, env[name]]] : [],
    ),
  ),
  ...home,
});
