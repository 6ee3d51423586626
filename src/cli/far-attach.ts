// Showing a session of another machine in this terminal: its tmux, over an ssh of its own, by the user's own configuration.
import type { Session } from '../api/types.js';
import { ask } from './connect.js';
import { CliError, EXIT } from './errors.js';
import { paneFrom } from './sender.js';

const word = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

// The command line that shows it.
export async function farAttach(session: Session): Promise<string[]> {
  if (paneFrom(process.env))
    throw new CliError(
      `this terminal is inside tmux, and ${session.name} is in the tmux of ${session.host}`,
      EXIT.refused,
      `detach first, or nest them: env -u TMUX sm attach ${session.name}`,
    );
  const hosts = await ask((client) => client.hosts());
  const host = hosts.find(({ name }) => name === session.host);
  if (!host) throw new CliError(`no such host: ${session.host}`, EXIT.missing);
  const { pane, socket, tmux_session } = session;
  const select = ['select-window', '-t', pane, ';', 'select-pane', '-t', pane, ';'];
  const words = [
    host.tmux_path ?? 'tmux',
    '-u',
    '-S',
    socket,
    ...select,
    'attach-session',
    '-t',
    tmux_session,
  ];
  const config = process.env.SM_SSH_CONFIG;
  return ['ssh', ...(config ? ['-F', config] : []), '-t', '--', host.destination, words.map(word).join(' ')];
}
