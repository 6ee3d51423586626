// Which version of an agent runs on another machine: there are no files of it to read, so the program is asked.
import { splitCommand, versionIn } from '../agents/index.js';
import { SshHost, shellLine, shellWord } from '../tmux/index.js';
import type { Session } from './session.js';

// Starting an agent only to ask for its version takes a second or two.
const ASK_MS = 15_000;

// Null where it does not tell; undefined where it could not be asked now.
export async function farVersion({
  tracker,
  profile,
  program,
  row,
  command,
}: Session): Promise<string | null | undefined> {
  // A program that is no agent is not run just to see what it says.
  if (profile.packages.length === 0) return null;
  const host = tracker?.server.transport;
  if (!(host instanceof SshHost) || host.state.kind !== 'up') return undefined;
  // As it was asked for, so that the login shell finds the same; of a pane that was adopted only its process is known.
  const { head } = splitCommand(row.origin === 'started' ? command : (program?.argv ?? [])) ?? {};
  if (!head || head.length === 0) return null;
  const line = `cd ${shellWord(row.cwd)} && exec ${shellLine([...head, '--version'])}`;
  const asked = await host
    .execute(`exec "\${SHELL:-/bin/sh}" -l -c ${shellWord(line)}`, ASK_MS)
    .catch(() => undefined);
  return asked === undefined ? undefined : versionIn(asked);
}
